package preflight

import (
	"context"
	"sync"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/claimbridge/claimbridge/api"
)

// probe is a claim or template that is written for trial, in one version.
type probe struct {
	resource
	object map[string]any
	// answer of the API server, when it accepted the object.
	answer *unstructured.Unstructured
	err    error
}

// Names of classes in probes: what every rule accepts, and what the rules of all versions refuse, but no schema.
const (
	goodClass = "preflight.claimbridge.dev"
	badClass  = "Not/A_Class"
)

// probes of all versions that are served, of those definitions that are established.
func (s *state) probes(class string) (all []*probe) {
	for _, crd := range s.established() {
		for _, version := range servedBy(crd) {
			r := s.in(crd, version)
			all = append(all, &probe{resource: r, object: r.example(class)})
		}
	}
	return all
}

// in a version of a definition.
func (s *state) in(crd *apiextensionsv1.CustomResourceDefinition, version string) resource {
	return resource{
		schema.GroupVersionResource{Group: s.Group, Version: version, Resource: crd.Spec.Names.Plural},
		crd.Spec.Names.Kind,
	}
}

// example of a claim or a template, with the fields that each version wants and no more.
func (r resource) example(class string) map[string]any {
	spec := map[string]any{"resourceClassName": class}
	if api.HasDevices(r.Version) {
		request := map[string]any{"deviceClassName": class}
		if api.HasExactly(r.Version) {
			request = map[string]any{"exactly": request}
		}
		request["name"] = "preflight"
		spec = map[string]any{"devices": map[string]any{"requests": []any{request}}}
	}
	if r.Resource == templates {
		spec = map[string]any{"spec": spec}
	}
	return map[string]any{
		"apiVersion": r.Group + "/" + r.Version,
		"kind":       r.kind,
		"metadata":   map[string]any{"generateName": "claimbridge-preflight-"},
		"spec":       spec,
	}
}

// try all probes at once: where a webhook does not answer each waits for its time-out.
func (c *cluster) try(ctx context.Context, namespace string, probes []*probe) {
	var all sync.WaitGroup
	for _, p := range probes {
		all.Go(func() { p.answer, p.err = c.create(ctx, p.resource, namespace, p.object) })
	}
	all.Wait()
}

// defaulted reports whether the count was filled in, which only the mutating webhook does. Versions
// without devices have none.
func (p *probe) defaulted() bool {
	if !api.HasDevices(p.Version) {
		return true
	}
	path := []string{"spec", "devices", "requests"}
	if p.Resource == templates {
		path = append(path[:1:1], path...)
	}
	requests, _, err := unstructured.NestedSlice(p.answer.Object, path...)
	if err != nil || len(requests) != 1 {
		return false
	}
	asked, _ := requests[0].(map[string]any)
	if api.HasExactly(p.Version) {
		asked, _ = asked["exactly"].(map[string]any)
	}
	return asked["count"] != nil
}
