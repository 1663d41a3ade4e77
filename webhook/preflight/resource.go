package preflight

import "strings"

// resource of an API server that checks read.
type resource struct {
	group, version, plural string
	kind                   string
}

var (
	apiServices              = resource{"apiregistration.k8s.io", "v1", "apiservices", "APIService"}
	definitions              = resource{"apiextensions.k8s.io", "v1", "customresourcedefinitions", "CustomResourceDefinition"}
	validatingConfigurations = resource{"admissionregistration.k8s.io", "v1", "validatingwebhookconfigurations", "ValidatingWebhookConfiguration"}
	mutatingConfigurations   = resource{"admissionregistration.k8s.io", "v1", "mutatingwebhookconfigurations", "MutatingWebhookConfiguration"}
	policies                 = resource{"admissionregistration.k8s.io", "v1", "validatingadmissionpolicies", "ValidatingAdmissionPolicy"}
	policyBindings           = resource{"admissionregistration.k8s.io", "v1", "validatingadmissionpolicybindings", "ValidatingAdmissionPolicyBinding"}
	services                 = resource{"", "v1", "services", "Service"}
	endpointSlices           = resource{"discovery.k8s.io", "v1", "endpointslices", "EndpointSlice"}
	deployments              = resource{"apps", "v1", "deployments", "Deployment"}
	secrets                  = resource{"", "v1", "secrets", "Secret"}
)

// path of an object, or of a list when the name is empty.
func (r resource) path(namespace, name string) string {
	parts := []string{"/apis", r.group, r.version}
	if r.group == "" {
		parts = []string{"/api", r.version}
	}
	if namespace != "" {
		parts = append(parts, "namespaces", namespace)
	}
	parts = append(parts, r.plural)
	if name != "" {
		parts = append(parts, name)
	}
	return strings.Join(parts, "/")
}

// String as kubectl auth can-i takes it.
func (r resource) String() string {
	if r.group == "" {
		return r.plural
	}
	return r.plural + "." + r.group
}

// versioned name, as kubectl takes it.
func (r resource) versioned() string { return r.plural + "." + r.version + "." + r.group }

func (r resource) object(namespace, name string) Object {
	return Object{Kind: r.kind, Namespace: namespace, Name: name}
}

// Reviews are made, and nothing of them is kept.
var (
	subjectAccessReviews     = resource{"authorization.k8s.io", "v1", "subjectaccessreviews", "SubjectAccessReview"}
	selfSubjectAccessReviews = resource{"authorization.k8s.io", "v1", "selfsubjectaccessreviews", "SelfSubjectAccessReview"}
)
