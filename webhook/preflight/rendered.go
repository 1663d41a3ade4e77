package preflight

import (
	"fmt"
	"strings"

	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/yaml"

	"github.com/claimbridge/claimbridge/config"
)

// rendered manifests of this release.
func rendered(o config.Options) (objects []*unstructured.Unstructured, err error) {
	manifests, err := config.Manifests(o)
	if err != nil {
		return nil, err
	}
	for document := range strings.SplitSeq(string(manifests), "\n---\n") {
		object := &unstructured.Unstructured{}
		if err := yaml.Unmarshal([]byte(document), &object.Object); err != nil {
			return nil, fmt.Errorf("read the manifests: %w", err)
		}
		objects = append(objects, object)
	}
	return objects, nil
}

// writesOf the rules of webhook configurations of a kind.
func writesOf(objects []*unstructured.Unstructured, kind resource) (all []write) {
	for _, object := range objects {
		if object.GetKind() != kind.kind {
			continue
		}
		var configuration admissionregistrationv1.ValidatingWebhookConfiguration // or the other kind, of which no more is looked at
		if err := runtime.DefaultUnstructuredConverter.FromUnstructured(object.Object, &configuration); err != nil {
			panic(err) // of manifests that are part of the program
		}
		for _, w := range configuration.Webhooks {
			for _, r := range w.Rules {
				for _, version := range r.APIVersions {
					for _, resource := range r.Resources {
						for _, operation := range r.Operations {
							all = append(all, write{operation, resource, version})
						}
					}
				}
			}
		}
	}
	return all
}
