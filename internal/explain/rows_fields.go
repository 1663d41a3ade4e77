package explain

const (
	inRequest = `unknown field spec\.(?:spec\.)?devices\.requests\[\d+\]\.`
	inPod     = `unknown field [\w.]*spec\.resourceClaims\[\d+\]\.`
)

var fieldRows = []Row{
	{
		Name: "A field that moved into exactly",
		Seen: []Seen{
			{`ResourceClaimTemplate in version "v1" cannot be handled as a ResourceClaimTemplate: strict decoding error: unknown field "spec.spec.devices.requests[0].deviceClassName"`,
				[]string{"kubernetes-sigs/dra-driver-nvidia-gpu#713"}},
			{`ResourceClaim in version "v1" cannot be handled as a ResourceClaim: strict decoding error: unknown field "spec.devices.requests[0].deviceClassName"`,
				[]string{"kubernetes-sigs/dra-driver-nvidia-gpu#684"}},
			{`error validating data: ValidationError(ResourceClaim.spec.devices.requests[0]): unknown field "deviceClassName" in io.k8s.api.resource.v1.DeviceRequest`, nil},
		},
		pattern: inRequest + `(?:deviceClassName|selectors|allocationMode|count|adminAccess|tolerations|capacity)\b`, assumed: "v1",
		Cause:   "The object has the shape of v1beta1 or v1alpha3 and says ${version}: there a request has ${field} inside exactly. Somebody changed apiVersion alone.",
		Native:  nativeOfMoved + " --validate=false is no way: the API server drops the field.",
		Command: flatCommand,
	},
	{
		Name: "A claim of v1 that says an older version",
		Seen: []Seen{
			{`ResourceClaim in version "v1beta1" cannot be handled as a ResourceClaim: strict decoding error: unknown field "spec.devices.requests[0].exactly"`, nil},
			{`error validating data: ValidationError(ResourceClaimTemplate.spec.spec.devices.requests[0]): unknown field "exactly" in io.k8s.api.resource.v1beta1.DeviceRequest`, nil},
		},
		pattern: inRequest + `exactly\b|version v1alpha[12]\b.*unknown field spec\.(?:spec\.)?devices\b`, assumed: "v1beta1",
		Cause:   "The object has the shape of v1 or v1beta2 and says ${version}, which does not know ${field}. Somebody changed apiVersion alone, or took an example of a newer release.",
		Native:  "Say resource.k8s.io/v1 on Kubernetes 1.34 and later. For ${version} move what stands in exactly beside the request's name.",
		Command: nestedCommand,
	},
	{
		Name:    "A request that asks for nothing",
		Seen:    []Seen{{"spec.devices.requests[0]: Required value: exactly one of `exactly` or `firstAvailable` is required", nil}},
		pattern: "exactly one of exactly or firstAvailable is required",
		Cause:   "The API server dropped what v1 has no field for, and nothing was left of the request. The object has the shape of v1beta1, and strict validation was off, as in many controllers.",
		Native:  nativeOfMoved,
		Command: flatCommand,
	},
	{
		Name: "A claim of 1.26 to 1.30 that says a later version",
		Seen: []Seen{
			{`ResourceClaim in version "v1" cannot be handled as a ResourceClaim: strict decoding error: unknown field "spec.resourceClassName"`, nil},
			{`ResourceClaimTemplate in version "v1" cannot be handled as a ResourceClaimTemplate: strict decoding error: unknown field "spec.spec.resourceClassName"`, nil},
		},
		pattern: `unknown field spec\.(?:spec\.)?(?:resourceClassName|parametersRef)\b`, assumed: "v1",
		Cause:   "The object has the shape of v1alpha1 or v1alpha2 and says ${version}, which has devices instead of classes. Somebody changed apiVersion alone.",
		Native:  "Write the claim anew: a request for devices of a DeviceClass. There is no conversion in Kubernetes.",
		Command: classCommand,
	},
	{
		Name: "A pod that names its claims as in 1.30",
		Seen: []Seen{
			{"spec.resourceClaims[0]: Invalid value: ...: must specify one of: `resourceClaimName`, `resourceClaimTemplateName`", []string{"kubernetes/kubernetes#131877"}},
			{`Pod in version "v1" cannot be handled as a Pod: strict decoding error: unknown field "spec.resourceClaims[0].source"`, nil},
		},
		pattern: "must specify one of: resourceClaimName, resourceClaimTemplateName|" + inPod + `source\b`,
		Cause:   "Up to 1.30 a pod names its claims below source. Later API servers do not know source; where they drop it, nothing is left.",
		Native:  "Move resourceClaimName and resourceClaimTemplateName out of source.",
		Command: inPlace,
	},
	{
		Name:    "A pod that names its claims as since 1.31",
		Seen:    []Seen{{`Pod in version "v1" cannot be handled as a Pod: strict decoding error: unknown field "spec.resourceClaims[0].resourceClaimTemplateName"`, nil}},
		pattern: inPod + `resourceClaim(?:Template)?Name\b`,
		Cause:   "The cluster is of 1.26 to 1.30, where a pod names its claims below source.",
		Native:  "Upgrade the cluster, or put resourceClaimName and resourceClaimTemplateName below source.",
		Command: "claimbridge convert --to 1.30 -f FILE | kubectl apply -f -",
	},
}
