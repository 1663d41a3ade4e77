package explain

const (
	inRequest = `unknown field spec\.(?:spec\.)?devices\.requests\[\d+\]\.`
	inPod     = `unknown field [\w.]*spec\.resourceClaims\[[\w.=-]+\]\.`
)

var fieldRows = []Row{
	{
		Name: "Go code of another version",
		Seen: []Seen{{`unknown field DeviceClassName in struct literal of type "k8s.io/api/resource/v1".DeviceRequest`, nil}},
		pattern: `cannot use .* as \*?k8s\.io/api/resource/v\d\w*\.` +
			`|unknown field \w+ in struct literal of type (?:k8s\.io/api/resource/)?v\d\w*\.(?:Device|Resource)` +
			`|undefined \(type \*?(?:k8s\.io/api/resource/)?v\d\w*\.(?:Device|ResourceClaim|ResourceSlice)`,
		assumed: "v1",
		Cause:   "Code of another version imports ${version}. In v1 and v1beta2 a request's fields are in Exactly, an ExactDeviceRequest, and a device's in Device, not in Basic.",
		Native:  "Move them: Exactly: &ExactDeviceRequest{DeviceClassName: ...}. Or import k8s.io/api/resource/v1beta1 again.",
		Command: "claimbridge convert --check --to ${release} .",
	},
	{
		Name: "A slice or class of an older version",
		Seen: []Seen{
			{`ResourceSlice in version "v1" cannot be handled as a ResourceSlice: strict decoding error: unknown field "spec.devices[0].basic"`, nil},
		},
		pattern: `unknown field spec\.(?:devices\[\d+\]\.basic|suitableNodes)\b`, assumed: "v1",
		Cause:   "${version} does not know ${field}. Since v1beta2 what was in a device's basic is in the device itself; suitableNodes of a class is gone since Kubernetes 1.32.",
		Native:  "Move what is in basic one level up, or take out suitableNodes. Drivers publish slices: take a release of the driver that speaks v1.",
		Command: "claimbridge convert --check --to ${release} .",
	},
	{
		Name: "A field that moved into exactly",
		Seen: []Seen{
			{`ResourceClaimTemplate in version "v1" cannot be handled as a ResourceClaimTemplate: strict decoding error: unknown field "spec.spec.devices.requests[0].deviceClassName"`,
				[]string{"kubernetes-sigs/dra-driver-nvidia-gpu#713", "kubernetes-sigs/dra-driver-nvidia-gpu#684"}},
			{`error validating data: ValidationError(ResourceClaim.spec.devices.requests[0]): unknown field "deviceClassName" in io.k8s.api.resource.v1.DeviceRequest`, nil},
			{`failed to create typed patch object (default/gpu; resource.k8s.io/v1, Kind=ResourceClaim): .spec.devices.requests[0].deviceClassName: field not declared in schema`, nil},
			{"spec.devices.requests[0]: Required value: exactly one of `exactly` or `firstAvailable` is required", nil},
		},
		pattern: inRequest + `(?:deviceClassName|selectors|allocationMode|count|adminAccess|tolerations|capacity)\b|unknown field deviceClassName(?:$| [^i])|exactly one of exactly or firstAvailable is required`, assumed: "v1",
		Cause:   "The object has the shape of v1beta1 or v1alpha3 and says ${version}: there a request has ${field} inside exactly. Somebody changed apiVersion alone.",
		Native:  "Write exactly: below the request's name, and put its other fields into it. Without strict validation, as in many controllers, the API server drops them, and nothing is left of the request.",
		Command: flatCommand,
	},
	{
		Name: "A claim of v1 that says an older version",
		Seen: []Seen{
			{`ResourceClaim in version "v1beta1" cannot be handled as a ResourceClaim: strict decoding error: unknown field "spec.devices.requests[0].exactly"`, nil},
		},
		pattern: inRequest + `exactly\b|unknown field exactly$|version v1alpha[12]\b.*unknown field spec\.(?:spec\.)?devices\b`, assumed: "v1beta1",
		Cause:   "The object has the shape of v1 or v1beta2 and says ${version}, which does not know ${field}. Often it is an example of a newer release.",
		Native:  "Say resource.k8s.io/v1 on Kubernetes 1.34 and later. For ${version} move what stands in exactly beside the request's name.",
		Command: nestedCommand,
	},
	{
		Name: "A claim of 1.26 to 1.30 that says a later version",
		Seen: []Seen{
			{`ResourceClaim in version "v1" cannot be handled as a ResourceClaim: strict decoding error: unknown field "spec.resourceClassName"`, nil},
		},
		pattern: `unknown field spec\.(?:spec\.)?(?:resourceClassName|parametersRef)\b|unknown field resourceClassName$`, assumed: "v1",
		Cause:   "The object has the shape of v1alpha1 or v1alpha2 and says ${version}, which has devices instead of classes.",
		Native:  "Write the claim anew: a request for devices of a DeviceClass.",
		Command: classCommand,
	},
	{
		Name: "A pod that names its claims as in 1.30",
		Seen: []Seen{
			{"spec.resourceClaims[0]: Invalid value: ...: must specify one of: `resourceClaimName`, `resourceClaimTemplateName`", []string{"kubernetes/kubernetes#131877"}},
			{`Pod in version "v1" cannot be handled as a Pod: strict decoding error: unknown field "spec.resourceClaims[0].source"`, nil},
		},
		pattern: "must specify one of: resourceClaimName, resourceClaimTemplateName|" + inPod + `source\b`,
		Cause:   "Up to 1.30 a pod names its claims below source. Later API servers do not know source, or drop it.",
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
