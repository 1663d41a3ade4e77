package preflight

import (
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/claimbridge/claimbridge/api"
)

const (
	// name of the Service, the Deployment, the webhook configurations and the roles of the server.
	name = "claimbridge"
	// ourCategory is in the definitions that come with claimbridge, and in no others.
	ourCategory = "claimbridge"

	// Secrets that the manifests have.
	servingSecret   = "claimbridge-tls"
	authoritySecret = "claimbridge-ca"

	claims    = api.ResourceClaims
	templates = api.ResourceTemplates

	httpsPort = 443
)

// versions of claims, oldest first.
var versions = api.Names()

var newest = api.Stored().Name

// resource of an API server, which kubectl auth can-i knows by its String.
type resource struct {
	schema.GroupVersionResource
	kind string
}

var (
	apiServices              = v1("apiregistration.k8s.io", "apiservices", "APIService")
	definitions              = v1("apiextensions.k8s.io", "customresourcedefinitions", "CustomResourceDefinition")
	validatingConfigurations = v1("admissionregistration.k8s.io", "validatingwebhookconfigurations",
		"ValidatingWebhookConfiguration")
	mutatingConfigurations = v1("admissionregistration.k8s.io", "mutatingwebhookconfigurations",
		"MutatingWebhookConfiguration")
	services       = v1("", "services", "Service")
	endpointSlices = v1("discovery.k8s.io", "endpointslices", "EndpointSlice")
	deployments    = v1("apps", "deployments", "Deployment")
	secrets        = v1("", "secrets", "Secret")
)

func v1(group, plural, kind string) resource {
	return resource{schema.GroupVersionResource{Group: group, Version: "v1", Resource: plural}, kind}
}

// String as kubectl auth can-i takes it.
func (r resource) String() string { return r.GroupResource().String() }

// versioned name, as kubectl takes it.
func (r resource) versioned() string { return r.Resource + "." + r.Version + "." + r.Group }

// itself, in its version.
func (r resource) itself() Object { return Object{Kind: r.kind, Name: r.Group + "/" + r.Version} }

func (r resource) object(namespace, name string) Object {
	return Object{Kind: r.kind, Namespace: namespace, Name: name}
}
