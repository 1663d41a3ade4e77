package openapi

import (
	"strings"

	"k8s.io/apimachinery/pkg/runtime"
	apiopenapi "k8s.io/apiserver/pkg/endpoints/openapi"
	genericapiserver "k8s.io/apiserver/pkg/server"
	"k8s.io/kube-openapi/pkg/util"
	"k8s.io/kube-openapi/pkg/validation/spec"

	"github.com/claimbridge/claimbridge/internal/hidden"
)

// ours is where the types of the alpha versions are.
const ours = "github.com/claimbridge/claimbridge/api/"

// Configure the documents of a server whose objects are those of a scheme.
func Configure(config *genericapiserver.Config, scheme *runtime.Scheme) {
	namer := apiopenapi.NewDefinitionNamer(scheme)
	config.OpenAPIConfig = genericapiserver.DefaultOpenAPIConfig(GetOpenAPIDefinitions, namer)
	config.OpenAPIConfig.Info.Title = hidden.Title
	config.OpenAPIV3Config = genericapiserver.DefaultOpenAPIV3Config(GetOpenAPIDefinitions, namer)
	config.OpenAPIV3Config.Info.Title = hidden.Title
	name := func(goName string) (string, spec.Extensions) {
		if !strings.HasPrefix(goName, ours) {
			return namer.GetDefinitionName(goName)
		}
		// The scheme has types that do not name themselves by this name, and without the kind as an extension kubectl explain finds none.
		_, extensions := namer.GetDefinitionName(util.ToRESTFriendlyName(goName))
		return upstreamName(goName), extensions
	}
	config.OpenAPIConfig.GetDefinitionName, config.OpenAPIV3Config.GetDefinitionName = name, name
}

// upstreamName of a definition of ours: io.k8s.api.resource.v1alpha1.ResourceClaim, as the release that had the type called it. Types of api/v1 are
// those that v1alpha3 has in common with it, and are called by that version: v1 itself is the API server's to describe.
func upstreamName(goName string) string {
	version, kind, _ := strings.Cut(strings.TrimPrefix(goName, ours), ".")
	if version == "v1" {
		version = "v1alpha3"
	}
	return "io.k8s.api.resource." + version + "." + kind
}
