//go:build from_1_36

// Package declarative has the functions of Kubernetes' pkg/api/testing and test/declarative_validation/meta that tests of
// declarative validation call, for tests whose errors come from claimbridge.
package declarative

import (
	"context"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/kubernetes/test/declarative_validation/meta"

	"github.com/claimbridge/claimbridge/test/upstream/assert"
)

// creator validates new objects.
type creator interface {
	Validate(ctx context.Context, object runtime.Object) field.ErrorList
}

// updater validates updates.
type updater interface {
	ValidateUpdate(ctx context.Context, object, old runtime.Object) field.ErrorList
}

// Option of a comparison. None is needed: claimbridge has the same errors in each version.
type Option struct{}

func WithNormalizationRules(...field.NormalizationRule) Option { return Option{} }

func WithSubResources(...string) Option { return Option{} }

func WithStringentFinalizerValidation() Option { return Option{} }

// VerifyValidationEquivalence compares the errors of a new object with those that the test expects.
func VerifyValidationEquivalence(
	t *testing.T, ctx context.Context, object runtime.Object, strategy creator, want field.ErrorList, _ ...Option,
) {
	t.Helper()
	assert.Equal(t, want, strategy.Validate(ctx, object))
}

// VerifyUpdateValidationEquivalence compares the errors of an update with those that the test expects.
func VerifyUpdateValidationEquivalence(
	t *testing.T, ctx context.Context, object, old runtime.Object, strategy updater, want field.ErrorList, _ ...Option,
) {
	t.Helper()
	assert.Equal(t, want, strategy.ValidateUpdate(ctx, object, old))
}

// RunObjectMetaTestCases does nothing: API servers validate the metadata of custom resources.
func RunObjectMetaTestCases(*testing.T, context.Context, runtime.Object, creator, ...Option) {}

// RunObjectMetaUpdateTestCases does nothing: API servers validate the metadata of custom resources.
func RunObjectMetaUpdateTestCases(*testing.T, context.Context, runtime.Object, updater, ...Option) {}

// RunConditionTestCases runs Kubernetes' test cases of conditions.
func RunConditionTestCases[T runtime.Object](
	t *testing.T, ctx context.Context, path *field.Path, base T, strategy updater, set func(T, []metav1.Condition),
) {
	t.Helper()
	for _, test := range meta.GenerateConditionTestCases(path) {
		t.Run("conditions: "+test.Name, func(t *testing.T) {
			object := base.DeepCopyObject().(T)
			set(object, test.Conditions)
			old := object.DeepCopyObject().(T)
			set(old, nil)
			VerifyUpdateValidationEquivalence(t, ctx, object, old, strategy, test.ExpectedErrs)
		})
	}
}
