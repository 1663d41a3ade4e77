package ask

import (
	"context"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/apiserver/pkg/registry/rest"
)

// Strategy prepares objects with the strategy of a release, and validates them with claimbridge, which gets them as they
// were before.
type Strategy struct {
	rest.RESTCreateUpdateStrategy
	// ValidateWrite is Update or UpdateStatus.
	ValidateWrite func(object, old runtime.Object) field.ErrorList
	// object before it was prepared.
	object runtime.Object
}

// PrepareForCreate drops what the release drops.
func (s *Strategy) PrepareForCreate(ctx context.Context, object runtime.Object) {
	s.object = object.DeepCopyObject()
	s.RESTCreateUpdateStrategy.PrepareForCreate(ctx, object)
}

// Validate a new object.
func (s *Strategy) Validate(_ context.Context, object runtime.Object) field.ErrorList {
	return Create(s.unprepared(object))
}

// PrepareForUpdate drops what the release drops, and restores what the write can't change.
func (s *Strategy) PrepareForUpdate(ctx context.Context, object, old runtime.Object) {
	s.object = object.DeepCopyObject()
	s.RESTCreateUpdateStrategy.PrepareForUpdate(ctx, object, old)
}

// ValidateUpdate validates an update.
func (s *Strategy) ValidateUpdate(_ context.Context, object, old runtime.Object) field.ErrorList {
	return s.ValidateWrite(s.unprepared(object), old)
}

// unprepared returns the object before it was prepared, if the test has prepared it.
func (s *Strategy) unprepared(object runtime.Object) runtime.Object {
	if s.object != nil {
		return s.object
	}
	return object
}
