package preflight

import (
	"slices"
	"sync"

	authorizationv1 "k8s.io/api/authorization/v1"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"github.com/claimbridge/claimbridge/api"
)

// probe is a claim or template that is written for trial, in one version.
type probe struct {
	resource
	object map[string]any
	// answer of the API server, when it accepted the object.
	answer map[string]any
	err    error
}

// Names of classes in probes: what every rule accepts, and what the rules of all versions refuse, but no schema.
const (
	goodClass = "preflight.claimbridge.dev"
	badClass  = "Not/A_Class"
)

// probes of all versions that are served, of those definitions that are established.
func (v *view) probes(class string) (all []*probe) {
	for _, crd := range v.established() {
		for _, version := range crd.Spec.Versions {
			if version.Served && slices.Contains(versions, version.Name) { // definitions-are-of-this-release knows of others
				r := resource{v.options.Group, version.Name, crd.Spec.Names.Plural, crd.Spec.Names.Kind}
				all = append(all, &probe{resource: r, object: r.example(class)})
			}
		}
	}
	return all
}

// example of a claim or a template, with the fields that each version wants and no more.
func (r resource) example(class string) map[string]any {
	spec := map[string]any{"resourceClassName": class}
	if api.HasDevices(r.version) {
		request := map[string]any{"deviceClassName": class}
		if r.nested() {
			request = map[string]any{"exactly": request}
		}
		request["name"] = "preflight"
		spec = map[string]any{"devices": map[string]any{"requests": []any{request}}}
	}
	if r.plural == templates {
		spec = map[string]any{"spec": spec}
	}
	return map[string]any{
		"apiVersion": r.group + "/" + r.version, "kind": r.kind, "metadata": map[string]any{"generateName": "claimbridge-preflight-"}, "spec": spec,
	}
}

// nested tells whether a request of the version says in a part of its own what it asks for, as from v1beta2 on.
func (r resource) nested() bool {
	return slices.Index(versions, r.version) >= slices.Index(versions, "v1beta2")
}

// try all probes at once: where a webhook does not answer each waits for its time-out.
func (v *view) try(probes []*probe) {
	var all sync.WaitGroup
	for _, p := range probes {
		all.Go(func() {
			body, err := v.cluster.try(v.ctx, p.path(v.options.ClaimNamespace, ""), p.object)
			if p.err = err; err == nil {
				answer, err := decode[map[string]any](body)
				p.answer, p.err = deref(answer, nil), err
			}
		})
	}
	all.Wait()
}

// defaulted reports whether the count was filled in, which only the mutating webhook does. Versions without devices have none.
func (p *probe) defaulted() bool {
	if !api.HasDevices(p.version) {
		return true
	}
	spec := object(p.answer["spec"])
	if p.plural == templates {
		spec = object(spec["spec"])
	}
	requests, _ := object(spec["devices"])["requests"].([]any)
	if len(requests) != 1 {
		return false
	}
	asked := object(requests[0])
	if p.nested() {
		asked = object(asked["exactly"])
	}
	return asked["count"] != nil
}

// mayCreate asks for the caller's own right. An API server that cannot say is tried.
func (v *view) mayCreate(plural string) bool {
	review := authorizationv1.SelfSubjectAccessReview{Spec: authorizationv1.SelfSubjectAccessReviewSpec{
		ResourceAttributes: &authorizationv1.ResourceAttributes{
			Namespace: v.options.ClaimNamespace, Verb: "create", Group: v.options.Group, Version: "*", Resource: plural,
		},
	}}
	answer, err := post(v, selfSubjectAccessReviews.path("", ""), review)
	return err != nil || answer.Status.Allowed
}

// established definitions of ours; definitions-are-accepted says why another is not.
func (v *view) established() (all []*apiextensionsv1.CustomResourceDefinition) {
	for _, crd := range v.definitions() {
		c := condition(crd, apiextensionsv1.Established)
		if c != nil && c.Status == apiextensionsv1.ConditionTrue && crd.DeletionTimestamp == nil {
			all = append(all, crd)
		}
	}
	return all
}
