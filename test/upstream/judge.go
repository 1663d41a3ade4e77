package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apiserver/pkg/endpoints/request"
	"k8s.io/apiserver/pkg/registry/rest"
	"k8s.io/apiserver/pkg/util/feature"
	"k8s.io/component-base/featuregate"
	"k8s.io/kubernetes/pkg/api/legacyscheme"
	"k8s.io/kubernetes/pkg/apis/resource"
	_ "k8s.io/kubernetes/pkg/apis/resource/install"
	"k8s.io/kubernetes/pkg/registry/resource/resourceclaim"
	"k8s.io/kubernetes/pkg/registry/resource/resourceclaimtemplate"
)

// question about a write.
type question struct {
	Operation string          `json:"operation"` // create, update or status
	Object    json.RawMessage `json:"object"`
	OldObject json.RawMessage `json:"oldObject,omitempty"` // not for create
}

// answer is empty when the API server stores the object.
type answer struct {
	Errors []problem `json:"errors,omitempty"`
	// Undecodable says why an object cannot be read.
	Undecodable string `json:"undecodable,omitempty"`
	// Panic of the release's own code: its API server answers 500 and stores nothing.
	Panic string `json:"panic,omitempty"`
}

// problem is one reason to refuse.
type problem struct {
	Type   string `json:"type"`
	Field  string `json:"field"`
	Detail string `json:"detail"`
}

type judge struct{ runtime.Decoder }

// gates of fields that a release drops unless its administrator wants them. A CRD has no gates, so all are open here.
var gates = []featuregate.Feature{"DynamicResourceAllocation", "DRAControlPlaneController"}

func newJudge() (judge, error) {
	known := feature.DefaultMutableFeatureGate.GetAll()
	for _, gate := range gates {
		if _, ok := known[gate]; !ok {
			continue
		}
		if err := feature.DefaultMutableFeatureGate.Set(string(gate) + "=true"); err != nil {
			return judge{}, fmt.Errorf("opening feature gate %s: %w", gate, err)
		}
	}
	return judge{legacyscheme.Codecs.UniversalDecoder(resource.SchemeGroupVersion)}, nil
}

// answer decodes as an API server does, defaults included. The error is for questions that make no sense.
func (j judge) answer(q question) (a answer, err error) {
	defer func() {
		if p := recover(); p != nil {
			a, err = answer{Panic: fmt.Sprint(p)}, nil
		}
	}()
	object, err := runtime.Decode(j, q.Object)
	if err != nil {
		return answer{Undecodable: err.Error()}, nil
	}
	if q.Operation == "create" {
		return verdict(create(object))
	}
	old, err := runtime.Decode(j, q.OldObject)
	if err != nil {
		return answer{Undecodable: "old object: " + err.Error()}, nil
	}
	return verdict(update(q.Operation, object, old))
}

// create and update are called by the storage of an API server, with the strategy of the kind; see its
// registry/generic/registry/store.go.
func create(object runtime.Object) error {
	m, err := meta.Accessor(object)
	if err != nil {
		return err
	}
	rest.FillObjectMetaSystemFields(m)
	switch object.(type) {
	case *resource.ResourceClaim:
		return rest.BeforeCreate(resourceclaim.Strategy, in(object), object)
	case *resource.ResourceClaimTemplate:
		return rest.BeforeCreate(resourceclaimtemplate.Strategy, in(object), object)
	}
	return fmt.Errorf("create of a %T", object)
}

func update(operation string, object, old runtime.Object) error {
	var strategy rest.RESTUpdateStrategy
	_, claim := old.(*resource.ResourceClaim)
	switch {
	case operation == "status" && claim:
		strategy = resourceclaim.StatusStrategy
	case operation == "update" && claim:
		strategy = resourceclaim.Strategy
	case operation == "update":
		strategy = resourceclaimtemplate.Strategy
	default:
		return fmt.Errorf("%s of a %T", operation, old)
	}
	return rest.BeforeUpdate(strategy, in(old), object, old)
}

// in is the context of a request in the object's own namespace.
func in(object runtime.Object) context.Context {
	namespace := ""
	if m, err := meta.Accessor(object); err == nil {
		namespace = m.GetNamespace()
	}
	return request.WithNamespace(context.Background(), namespace)
}

// verdict takes an error apart.
func verdict(err error) (a answer, _ error) {
	if err == nil {
		return a, nil
	}
	var status apierrors.APIStatus
	if !errors.As(err, &status) || !apierrors.IsInvalid(err) {
		return a, err
	}
	for _, cause := range status.Status().Details.Causes {
		a.Errors = append(a.Errors, problem{Type: string(cause.Type), Field: cause.Field, Detail: cause.Message})
	}
	return a, nil
}
