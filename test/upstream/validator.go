package main

import (
	"encoding/json"
	"errors"
	"fmt"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apiserver/pkg/util/feature"
	"k8s.io/component-base/featuregate"
	"k8s.io/kubernetes/pkg/api/legacyscheme"
	"k8s.io/kubernetes/pkg/apis/resource"
	_ "k8s.io/kubernetes/pkg/apis/resource/install"
)

// question about a write, or about a conversion.
type question struct {
	Operation string          `json:"operation"` // create, update, status or convert
	Object    json.RawMessage `json:"object"`
	OldObject json.RawMessage `json:"oldObject,omitempty"` // of update and status
	// Version to convert to.
	Version string `json:"version,omitempty"`
	// Defaults of its version are given to an object that is converted, unless this is false. What
	// is written always gets them.
	Defaults *bool `json:"defaults,omitempty"`
}

// answer is empty when the API server stores the object.
type answer struct {
	Errors []problem `json:"errors,omitempty"`
	// Undecodable says why an object cannot be read.
	Undecodable string `json:"undecodable,omitempty"`
	// Panic of the release's own code: its API server answers 500 and stores nothing.
	Panic string `json:"panic,omitempty"`
	// Object that was converted.
	Object json.RawMessage `json:"object,omitempty"`
}

// problem is one reason to reject a write.
type problem struct {
	Type   string `json:"type"`
	Field  string `json:"field"`
	Detail string `json:"detail"`
}

type validator struct{ runtime.Decoder }

// gates without which a release does not serve claims, or not those of its control-plane
// controllers. A CRD has no gates, so both are open here. All others are at the release's default
// unless its administrator asks: from 1.32 on, what they close is dropped from an object before it
// is validated.
var gates = []featuregate.Feature{"DynamicResourceAllocation", "DRAControlPlaneController"}

func newValidator(asked string) (validator, error) {
	known := feature.DefaultMutableFeatureGate.GetAll()
	for _, gate := range gates {
		if _, ok := known[gate]; !ok {
			continue
		}
		if err := feature.DefaultMutableFeatureGate.Set(string(gate) + "=true"); err != nil {
			return validator{}, fmt.Errorf("opening feature gate %s: %w", gate, err)
		}
	}
	if err := feature.DefaultMutableFeatureGate.Set(asked); err != nil {
		return validator{}, fmt.Errorf("setting feature gates: %w", err)
	}
	return validator{legacyscheme.Codecs.UniversalDecoder(resource.SchemeGroupVersion)}, nil
}

// answer decodes as an API server does, defaults included. The error is for questions that make no sense.
func (j validator) answer(q question) (a answer, err error) {
	defer func() {
		if p := recover(); p != nil {
			a, err = answer{Panic: fmt.Sprint(p)}, nil
		}
	}()
	if q.Operation == "convert" {
		return j.convert(q)
	}
	object, sent, err := j.Decode(q.Object, nil, nil)
	if err != nil {
		return answer{Undecodable: err.Error()}, nil
	}
	w := write{operation: q.Operation, version: sent.Version, object: object}
	if q.Operation != "create" {
		if w.old, err = runtime.Decode(j, q.OldObject); err != nil {
			return answer{Undecodable: "old object: " + err.Error()}, nil
		}
	}
	return result(w.validate())
}

// result takes an error apart.
func result(err error) (a answer, _ error) {
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
