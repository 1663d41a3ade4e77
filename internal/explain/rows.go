package explain

import "github.com/claimbridge/claimbridge/api"

// Row is an error and what to do about it. Its sentences may have ${version}, ${kind}, ${field}, ${resource} and ${user} of the text.
type Row struct {
	// Name is the heading of the page.
	Name string
	// Seen are texts as people posted them.
	Seen []Seen
	// pattern of the text, white space being one blank. newest is what holds of the version in it, if that matters.
	pattern string
	newest  *bool
	// Cause, Native is the way without claimbridge, and Command the one with it, or the one that shows more.
	Cause, Native, Command string
}

// Seen is a text, and the public threads that have it; none is a text that the programs were seen to print.
type Seen struct {
	Text    string
	Threads []string
}

// of says whether a row is about the version of a text.
func (r Row) of(version string) bool {
	return r.newest == nil || version != "" && *r.newest == (version == api.Stored().Name)
}

const (
	notServed = `no matches for kind \\?"` + kinds + `\\?" in version \\?"resource\.k8s\.io/`
	byFile    = `(?:resource mapping not found|unable to recognize|unable to build kubernetes objects|dry-run failed).*` + notServed
	notListed = `failed to (?:list|watch) \*v\d\w*\.` + kinds + `: the server could not find the requested resource`
	notFound  = `the server could not find the requested resource \(\w+ (?:resourceclaims|resourceclaimtemplates|resourceslices|deviceclasses)\.resource\.k8s\.io`
	argo      = `could not find version \\?"v\d\w*\\?" of resource\.k8s\.io/`
)

var (
	isNewest = true
	isOlder  = false
)

// bridgeCommand puts the bridge beside the containers of a program.
const bridgeCommand = "claimbridge proxy inject --write manifests/"

// Rows stand in an order: those that need more of a text before those that need less of the same.
var Rows = []Row{
	{
		Name: "A file or chart of v1 on an older cluster",
		Seen: []Seen{
			{`resource mapping not found for name: "gpu" namespace: "default" from "STDIN": no matches for kind "ResourceClaim" in version "resource.k8s.io/v1"`, nil},
			{`The Kubernetes API could not find version "v1beta2" of resource.k8s.io/DeviceClass for requested resource gpu-operator/compute-domain-default-channel.nvidia.com. Version "v1beta1" of resource.k8s.io/DeviceClass is installed on the destination cluster.`,
				[]string{"kubernetes-sigs/dra-driver-nvidia-gpu#728"}},
		},
		pattern: byFile + `v1\b|` + argo + `.*Version \\?"v1(?:alpha|beta)\d`,
		Cause:   "The file says ${version}, which this cluster does not serve: it is of an older release, or the group is switched off.",
		Native:  "Upgrade the cluster to Kubernetes 1.34, or write the version that kubectl api-versions lists. Rendered without a cluster, a chart needs --api-versions resource.k8s.io/VERSION/DeviceClass.",
		Command: "claimbridge convert --to v1beta1 -f FILE | kubectl apply -f -",
	},
	{
		Name: "A file or chart of an old version on a newer cluster",
		Seen: []Seen{
			{`resource mapping not found for name: "gpu.example.com" namespace: "" from "STDIN": no matches for kind "DeviceClass" in version "resource.k8s.io/v1beta1"`, []string{"kubernetes-sigs/dra-driver-nvidia-gpu#533"}},
		},
		pattern: byFile + `|` + argo, newest: &isOlder,
		Cause:   "The file says ${version}, and since 1.34 a cluster serves v1 alone by default.",
		Native:  "Change apiVersion to resource.k8s.io/v1; in claims and templates what stands in a request moves into exactly. Your own API server serves ${version} with --runtime-config, until it is gone.",
		Command: "claimbridge convert --to 1.36 --write .",
	},
	{
		Name: "A program of v1 on an older cluster",
		Seen: []Seen{
			{`no matches for kind "ResourceClaimTemplate" in version "resource.k8s.io/v1"`, []string{"ai-dynamo/dynamo#9449"}},
			{`failed to list *v1.ResourceClaim: the server could not find the requested resource`, []string{"kubernetes/autoscaler#9244"}},
		},
		pattern: notServed + `v1\b|` + notListed, newest: &isNewest,
		Cause:   "The program knows ${kind} in v1 alone, and this cluster does not serve it: it is of 1.33 or older. A scheduler or an autoscaler waits for that list for ever; Cluster Autoscaler does since 1.35, whose support of devices cannot be switched off.",
		Native:  "Upgrade the cluster to Kubernetes 1.34, or run the program's release for your cluster's: Cluster Autoscaler 1.34 or older.",
		Command: bridgeCommand,
	},
	{
		Name: "A program of an old version on a newer cluster",
		Seen: []Seen{
			{`failed to list *v1beta1.ResourceSlice: the server could not find the requested resource`, []string{"intel/intel-resource-drivers-for-kubernetes#47"}},
			{`no matches for kind "ResourceClaim" in version "resource.k8s.io/v1alpha3"`, nil},
		},
		pattern: notServed + `|` + notListed, newest: &isOlder,
		Cause:   "The program knows ${kind} in ${version}, and since 1.34 a cluster serves v1 alone by default.",
		Native:  "Take a release of the program that speaks v1. On a control plane of your own --runtime-config=resource.k8s.io/${version}=true serves it, as long as the release has it.",
		Command: bridgeCommand,
	},
	{
		Name: "A cluster without the group",
		Seen: []Seen{
			{`the server could not find the requested resource (get deviceclasses.resource.k8s.io)`, []string{"kubernetes/autoscaler#9244"}},
		},
		pattern: notFound,
		Cause:   "The cluster serves no version of resource.k8s.io, as one of 1.33 or older that nobody switched it on in, and the client asks for ${resource}. A scheduler or an autoscaler waits for ever.",
		Native:  "Upgrade the cluster to Kubernetes 1.34, which has v1 on, or take an older release of the client: Cluster Autoscaler 1.34 or older. kubectl api-versions lists what is served.",
		Command: bridgeCommand,
	},
	{
		Name: "A field that moved into exactly",
		Seen: []Seen{
			{`ResourceClaimTemplate in version "v1" cannot be handled as a ResourceClaimTemplate: strict decoding error: unknown field "spec.spec.devices.requests[0].deviceClassName"`,
				[]string{"kubernetes-sigs/dra-driver-nvidia-gpu#713"}},
			{`ResourceClaim in version "v1" cannot be handled as a ResourceClaim: strict decoding error: unknown field "spec.devices.requests[0].deviceClassName"`, []string{"kubernetes-sigs/dra-driver-nvidia-gpu#684"}},
		},
		pattern: `strict decoding error: .*unknown field \\?"spec\.(?:spec\.)?devices\.requests\[\d+\]\.(?:deviceClassName|selectors|allocationMode|count|adminAccess|tolerations)`,
		Cause:   "The object has the shape of v1beta1 or v1alpha3 and says ${version}: there a request has ${field} inside exactly. Somebody changed apiVersion alone.",
		Native:  "Write exactly: below the request's name, and put its other fields into it. --validate=false is no way: the API server drops the field.",
		Command: "sed -i 's#resource.k8s.io/v1$#resource.k8s.io/v1beta1#' FILE && claimbridge convert --to 1.36 --write FILE",
	},
	{
		Name: "A request that asks for nothing",
		Seen: []Seen{
			{"spec.devices.requests[0]: Required value: exactly one of `exactly` or `firstAvailable` is required", nil},
		},
		pattern: "exactly one of `exactly` or `firstAvailable` is required",
		Cause:   "The API server dropped what v1 has no field for, and nothing was left of the request: the object has the shape of v1beta1, and strict validation was off, as in many controllers.",
		Native:  "Write exactly: below the request's name, and put its other fields into it.",
		Command: "sed -i 's#resource.k8s.io/v1$#resource.k8s.io/v1beta1#' FILE && claimbridge convert --to 1.36 --write FILE",
	},
	{
		Name: "A claim of 1.26 to 1.30",
		Seen: []Seen{
			{`ResourceClaim in version "v1" cannot be handled as a ResourceClaim: strict decoding error: unknown field "spec.resourceClassName"`, nil},
			{`ResourceClaimTemplate in version "v1" cannot be handled as a ResourceClaimTemplate: strict decoding error: unknown field "spec.spec.resourceClassName"`, nil},
		},
		pattern: `strict decoding error: .*unknown field \\?"spec\.(?:spec\.)?(?:resourceClassName|parametersRef)`,
		Cause:   "The object has the shape of v1alpha1 or v1alpha2 and says ${version}, which has devices instead of classes. Somebody changed apiVersion alone.",
		Native:  "Write the claim anew: a request for devices of a DeviceClass. There is no conversion in Kubernetes.",
		Command: "sed -i 's#resource.k8s.io/v1$#resource.k8s.io/v1alpha2#' FILE && claimbridge convert --to 1.36 --write FILE",
	},
	{
		Name: "A pod that names its claims as in 1.30",
		Seen: []Seen{
			{"spec.resourceClaims[0]: Invalid value: ...: must specify one of: `resourceClaimName`, `resourceClaimTemplateName`", []string{"kubernetes/kubernetes#131877"}},
		},
		pattern: "must specify one of: `resourceClaimName`, `resourceClaimTemplateName`",
		Cause:   "Up to 1.30 a pod names its claims below source. Later API servers drop source, and nothing is left.",
		Native:  "Move resourceClaimName and resourceClaimTemplateName out of source.",
		Command: "claimbridge convert --to 1.36 --write .",
	},
	{
		Name: "Rights that are missing",
		Seen: []Seen{
			{`resourceslices.resource.k8s.io is forbidden: User "system:serviceaccount:kube-system:cluster-autoscaler" cannot list resource "resourceslices" in API group "resource.k8s.io" at the cluster scope`,
				[]string{"kubernetes/autoscaler#10278", "rancher/rancher#54754", "vitobotta/hetzner-k3s#794"}},
		},
		pattern: `is forbidden: User .* cannot \w+ resource \\?"\w+(?:/\w+)?\\?" in API group \\?"resource\.k8s\.io\\?"`,
		Cause:   "No version is at fault: the role of ${user} does not name ${resource}. Schedulers and autoscalers of 1.35 and later list them always, and are never ready without.",
		Native:  "Add get, list and watch of deviceclasses, resourceclaims and resourceslices in the group resource.k8s.io to the role; newer charts have them.",
		Command: "kubectl auth can-i list ${resource}.resource.k8s.io --as=${user}",
	},
	{
		Name: "Helm renders without a cluster",
		Seen: []Seen{
			{`requires a Kubernetes cluster that supports Dynamic Resource Allocation (no resource.k8s.io DeviceClass API is served). When rendering offline with 'helm template', pass --api-versions resource.k8s.io/v1/DeviceClass`,
				[]string{"home-operations/konflate#510"}},
			{`No supported resource.k8s.io API version found in the cluster.`, []string{"kubernetes-sigs/dra-driver-nvidia-gpu#534"}},
		},
		pattern: `no resource\.k8s\.io DeviceClass API is served|No supported resource\.k8s\.io API version`,
		Cause:   "The chart looks for the group among .Capabilities.APIVersions, which helm template knows only by what it is told.",
		Native:  "Name what the cluster serves, for Argo CD as helm.apiVersions: of the release 1.34 and later that is v1.",
		Command: "helm template NAME CHART --kube-version 1.36 --api-versions resource.k8s.io/v1 --api-versions resource.k8s.io/v1/DeviceClass",
	},
	{
		Name: "A driver panics in UpdateStatus",
		Seen: []Seen{
			{`interface conversion: *v1beta1.resourceClaims is not client.funcsWithStatus[...]: missing method Apply`, []string{"kubernetes/kubernetes#141106"}},
		},
		pattern: `interface conversion: .*client\.funcsWithStatus`,
		Cause:   "The client of k8s.io/dynamic-resource-allocation before 0.38 calls the wrong version in UpdateStatus once it has fallen back to v1beta2: on a cluster of 1.33, and after a claim that was not found.",
		Native:  "Build the driver with k8s.io/dynamic-resource-allocation 0.38, or run it on Kubernetes 1.34 or later.",
		Command: bridgeCommand,
	},
	{
		Name: "Parameters of a driver that an older one wrote, or a newer",
		Seen: []Seen{
			{`error decoding config parameters: strict decoding error: unknown field "allocationMode"`, []string{"kubernetes-sigs/dra-driver-nvidia-gpu#576"}},
		},
		pattern: `opaque device configs|decoding config parameters`,
		Cause:   "No version of resource.k8s.io is at fault: the driver does not know a field of its own parameters, which were copied into status.allocation when the claim was allocated, and stay as they are.",
		Native:  "Run the release of the driver that wrote them until the pods of these claims are gone, then change it.",
		Command: "kubectl get resourceclaims -A -o jsonpath='{range .items[*]}{.metadata.namespace}/{.metadata.name} {.status.allocation.devices.config[*].opaque.driver}{\"\\n\"}{end}'",
	},
	{
		Name: "Admin access",
		Seen: []Seen{
			{"spec.devices.requests[0].adminAccess: Forbidden: admin access to devices requires the `resource.kubernetes.io/admin-access: true` label on the containing namespace", []string{"kubernetes/kubernetes#141293"}},
		},
		pattern: `admin access to devices (?:is not allowed|requires)`,
		Cause:   "A claim or template with adminAccess needs a label on its namespace: resource.k8s.io/admin-access in 1.33, resource.kubernetes.io/admin-access since 1.34, which does not heed the other.",
		Native:  "Label the namespace.",
		Command: "kubectl label namespace NAMESPACE resource.kubernetes.io/admin-access=true",
	},
	{
		Name: "A stored object that nobody can read",
		Seen: []Seen{
			{`no kind "ResourceClaim" is registered for version "resource.k8s.io/v1alpha2" in scheme "pkg/api/legacyscheme/scheme.go:30"`, nil},
		},
		pattern: `no kind \\?"` + kinds + `\\?" is registered for version \\?"resource\.k8s\.io/`,
		Cause:   "etcd holds ${kind} in ${version}, whose types this release does not have any more: lists of the group fail, and namespaces stay in Terminating. In a client it means that its types are older or newer than the object.",
		Native:  "Delete the key with etcdctl below /registry/resourceclaims, resourceclaimtemplates or resourceclasses, or go back to the last release with ${version} and delete the objects there.",
		Command: "claimbridge convert --to 1.36 -f BACKUP.yaml",
	},
	{
		Name: "A claim cannot be changed",
		Seen: []Seen{
			{`The ResourceClaim "gpu" is invalid: spec: Invalid value: ...: field is immutable`, nil},
		},
		pattern: `(?:ResourceClaim|ResourceClaimTemplate).* spec: Invalid value: .*field is immutable`,
		Cause:   "spec never changes once an object is there, in no version.",
		Native:  "Delete it and create it anew. In Argo CD and Flux that is the option Replace or force, and pods that use the claim go first.",
		Command: "claimbridge rules spec-is-immutable",
	},
}
