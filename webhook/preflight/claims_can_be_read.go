package preflight

import (
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

var claimsCanBeRead = Check{
	Name:     "claims-can-be-read",
	Reason:   "The proof: the API server reads one claim and one template in each served version, and where it cannot it says why in its own words. Only metadata is asked for. It proves nothing where nothing is stored.",
	Severity: Problem,
	Remedy:   "See to the other findings first; docs/troubleshooting.md has the texts.",
	find: func(v *view) {
		if v.groupIsTaken() {
			return // group-is-not-built-in and group-is-not-aggregated say so
		}
		for _, crd := range v.definitions() {
			if established := condition(crd, apiextensionsv1.Established); established != nil && established.Status == apiextensionsv1.ConditionTrue {
				v.read(crd)
			} // else definitions-are-accepted says so
		}
	},
}

// read one object in each served version.
func (v *view) read(crd *apiextensionsv1.CustomResourceDefinition) {
	in := func(version string) resource {
		return resource{v.options.Group, version, crd.Spec.Names.Plural, crd.Spec.Names.Kind}
	}
	r := in(storedVersion(crd)) // no conversion is needed to find one
	body, err := v.cluster.get(v.ctx, asNames, r.path("", ""), map[string]string{"limit": "1"})
	if err != nil {
		v.unreadable(r, "list", err)
		return
	}
	some, err := decode[metav1.PartialObjectMetadataList](body)
	if err != nil || len(some.Items) == 0 {
		return
	}
	object := some.Items[0]
	for _, version := range crd.Spec.Versions {
		if version.Served {
			// Without a resourceVersion it is read from storage, and converted now; lists come from caches.
			r := in(version.Name)
			if _, err := v.cluster.get(v.ctx, asMetadata, r.path(object.Namespace, object.Name), nil); err != nil && !gone(err, object.Name) {
				v.unreadable(r, "get", err)
			}
		}
	}
}

// gone tells that an object was deleted since, from an API server that does not know the version.
func gone(err error, name string) bool {
	s, _ := status(err)
	return apierrors.IsNotFound(err) && s.Details != nil && s.Details.Name == name
}

func (v *view) unreadable(r resource, verb string, err error) {
	object := Object{Kind: r.kind, Name: r.group + "/" + r.version}
	if _, answered := status(err); !answered || refused(err) || apierrors.IsTimeout(err) {
		v.unseen(object, verb, r, err)
		return
	}
	v.report(object, "cannot be read: "+message(err), "see to the other findings first; docs/troubleshooting.md has this text")
}

// groupIsTaken tells that requests do not reach the definitions.
func (v *view) groupIsTaken() bool {
	for _, s := range v.aside().apiServices() {
		if s.builtIn() || s.Spec.Service != nil {
			return true
		}
	}
	return false
}
