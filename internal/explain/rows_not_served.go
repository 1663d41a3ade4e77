package explain

import (
	"strings"

	"github.com/claimbridge/claimbridge/api"
)

// The versions that a text may name: the newest, those of devices before it, those of which the bridge makes the newest, and the others.
var (
	newest  = versions(func(v api.Version) bool { return v.Stored })
	older   = versions(func(v api.Version) bool { return v.Devices && !v.Stored })
	betas   = versions(func(v api.Version) bool { return v.Native && !v.Stored })
	alphas  = versions(func(v api.Version) bool { return !v.Native })
	classes = versions(func(v api.Version) bool { return !v.Devices })
)

func versions(are func(api.Version) bool) string {
	var names []string
	for _, v := range api.Versions() {
		if are(v) {
			names = append(names, v.Name)
		}
	}
	return `(?:` + strings.Join(names, "|") + `)\b`
}

// missing is what RESTMappers say of a kind or resource, and unlisted what reflectors do.
func missing(versions string) string {
	return `no matches for (?:kind ` + kinds + ` in version resource\.k8s\.io/` + versions + `|resource\.k8s\.io/` + versions + `, Resource=)`
}

func unlisted(versions string) string {
	return `[Ff]ailed to (?:list|watch) (?:\*` + versions + `\.` + kinds + `|resource\.k8s\.io/` + versions + `, Resource=\w+): the server could not find the requested resource` +
		`|complete list of server APIs: .*resource\.k8s\.io/` + versions + `: (?:the server could not find|stale GroupVersion)`
}

const (
	// ofAFile is what kubectl, Helm and Flux write before it, and logged what programs do: klog, controller-runtime, JSON.
	ofAFile = `(?:resource mapping not found|unable to recognize|unable to build kubernetes objects|dry-run failed).*`
	logged  = `(?:\.go:\d+\b|[Rr]econcil|controller-runtime|level[:=] ?error).*`
	argo    = `Kubernetes API could not find `
)

var notServedRows = []Row{
	{
		Name: "A file or program of 1.26 to 1.30",
		Seen: []Seen{
			{`error: resource mapping not found for name: "gpu.example.com" namespace: "" from "STDIN": no matches for kind "ResourceClass" in version "resource.k8s.io/v1alpha2"`, nil},
			{`failed to list *v1alpha2.PodSchedulingContext: the server could not find the requested resource`, nil},
		},
		pattern: missing(classes) + `|` + unlisted(classes) + `|no matches for kind ` + goneKinds + `\b|\*v\d\w*\.` + goneKinds + `: the server could not find`,
		Cause:   "The text is about ${kind} of Kubernetes 1.26 to 1.30. Since 1.31 claims ask for devices of a DeviceClass; ResourceClass, parameters and PodSchedulingContext are gone.",
		Native: "Write a DeviceClass and the claims anew, as chapter B of docs/upgrades.md says, and take a driver and a scheduler of the cluster's release. " +
			"There is no conversion in Kubernetes.",
		Command:   inPlace,
		Otherwise: "if a program logged it, nothing speaks that version for it: take its newer release",
	},
	{
		Name: "Helm keeps an old version",
		Seen: []Seen{
			{`UPGRADE FAILED: unable to build kubernetes objects from current release manifest: unable to recognize "": no matches for kind "ResourceClaimTemplate" in version "resource.k8s.io/v1beta1"`, nil},
		},
		sure:    `current release manifest.*` + missing(older),
		Cause:   "Not the new chart says ${version}, but the release that Helm keeps in a Secret. The cluster does not serve it.",
		Native:  `Install the plugin mapkubeapis, and write into map.yaml, below mappings, for each kind: {deprecatedAPI: "apiVersion: resource.k8s.io/${version}\nkind: ${kind}", newAPI: "apiVersion: resource.k8s.io/v1\nkind: ${kind}", deprecatedInVersion: "v1.34"}.`,
		Command: "helm mapkubeapis RELEASE --namespace NAMESPACE --mapfile map.yaml",
	},
	{
		Name: "Argo CD syncs another version than the cluster has",
		Seen: []Seen{
			{`The Kubernetes API could not find version "v1beta2" of resource.k8s.io/DeviceClass for requested resource gpu-operator/compute-domain-default-channel.nvidia.com. Version "v1beta1" of resource.k8s.io/DeviceClass is installed on the destination cluster.`,
				[]string{"kubernetes-sigs/dra-driver-nvidia-gpu#728"}},
		},
		pattern: argo + `version v\d\w* of resource\.k8s\.io/.*Version v\d\w* of`,
		Cause:   "The file or chart says ${version}, and the cluster has ${installed}.",
		Native:  "Write ${installed}. A chart that asks for the versions of the cluster takes them from helm.apiVersions of the Application: resource.k8s.io/${installed}/DeviceClass.",
		Command: "claimbridge convert --to ${installed} --write .",
	},
	{
		Name: "A program of v1 on an older cluster",
		Seen: []Seen{
			{`failed to list *v1.ResourceClaim: the server could not find the requested resource`, []string{"kubernetes/autoscaler#9244"}},
		},
		pattern: logged + missing(newest) + `|` + unlisted(newest),
		Cause:   causeOfNew + " Schedulers and autoscalers wait for that list for ever, Cluster Autoscaler since 1.35, where devices cannot be switched off.",
		Native:  "Upgrade the cluster to Kubernetes 1.34, or run the program's release for your cluster's: Cluster Autoscaler 1.34 or older.",
		Command: bridgeCommand,
	},
	{
		Name: "A program of an old version on a newer cluster",
		Seen: []Seen{
			{`failed to list *v1beta1.ResourceSlice: the server could not find the requested resource`,
				[]string{"intel/intel-resource-drivers-for-kubernetes#47", "kubernetes/test-infra#33997"}},
		},
		pattern: logged + missing(betas) + `|` + unlisted(betas),
		Cause:   causeOfOld,
		Native:  "Take a release of the program that speaks v1. On a control plane of your own --runtime-config=resource.k8s.io/${version}=true serves it, as long as the release has it.",
		Command: bridgeCommand,
	},
	{
		Name:    "A program of v1alpha3",
		Seen:    []Seen{{`failed to list *v1alpha3.ResourceSlice: the server could not find the requested resource`, nil}},
		pattern: logged + missing(alphas) + `|` + unlisted(alphas),
		Cause:   "The program speaks v1alpha3, of which Kubernetes 1.31 to 1.33 have claims, classes and slices where somebody switched it on.",
		Native:  "Take a release of the program that speaks v1, or change its code: a request's fields move into Exactly.",
		Command: "claimbridge convert --check --to ${release} .",
	},
	{
		Name: "A file or chart of v1 on an older cluster",
		Seen: []Seen{
			{`resource mapping not found for name: "gpu" namespace: "default" from "STDIN": no matches for kind "ResourceClaim" in version "resource.k8s.io/v1"`, nil},
			{`no matches for kind "ResourceClaimTemplate" in version "resource.k8s.io/v1"`, []string{"ai-dynamo/dynamo#9449"}},
		},
		sure:      ofAFile + missing(newest),
		pattern:   missing(newest) + `|resource\.k8s\.io/` + newest + ` not found`,
		Cause:     causeOfNew,
		Native:    nativeOfFile + " Rendered without a cluster, a chart needs --api-versions resource.k8s.io/VERSION/DeviceClass.",
		Command:   "claimbridge convert --to v1beta1 -f FILE | kubectl apply -f -",
		Otherwise: ofAProgram,
	},
	{
		Name: "A file or chart of an old version on a newer cluster",
		Seen: []Seen{
			{`resource mapping not found for name: "gpu.example.com" namespace: "" from "STDIN": no matches for kind "DeviceClass" in version "resource.k8s.io/v1beta1"`,
				[]string{"kubernetes-sigs/dra-driver-nvidia-gpu#533"}},
			{`no matches for kind "ResourceClaim" in version "resource.k8s.io/v1alpha3"`, nil},
		},
		sure:      ofAFile + missing(older),
		pattern:   missing(older) + `|resource\.k8s\.io/` + older + ` not found`,
		Cause:     causeOfOld,
		Native:    nativeOfOld,
		Command:   inPlace,
		Otherwise: "if a program of v1beta1 or v1beta2 logged it, " + bridgeCommand,
	},
	{
		Name: "A kind in a version that the text does not name",
		Seen: []Seen{
			{`no matches for kind "ResourceClaimTemplate"`, nil},
			{`The Kubernetes API could not find resource.k8s.io/ResourceClaim for requested resource default/gpu. Make sure the "ResourceClaim" CRD is installed on the destination cluster.`, nil},
		},
		pattern: `no matches for kind ` + kinds + `(?: in (?:group|version) resource\.k8s\.io\b| [^i]|[^ \w]|$)|` + argo + `(?:version v\d\w* of )?resource\.k8s\.io/`,
		Cause:   "The cluster does not serve ${kind} in the version that a file or a program asks for, or in none: v1 since 1.34, the betas where they were switched on. No CRD is missing.",
		Native:  "See which versions it lists, and write one of these, or upgrade the cluster to Kubernetes 1.34.",
		Command: served, Otherwise: "once you know the version, claimbridge convert --to VERSION --write . for files; for a program, " + bridgeCommand,
	},
	{
		Name:    "kubectl does not find the resource",
		Seen:    []Seen{{`error: the server doesn't have a resource type "resourceclaims"`, nil}},
		pattern: `the server doesnt have a resource type (?:` + resources + `|` + singular + `)\b|couldnt find resource for resource\.k8s\.io/`,
		Cause:   "kubectl was asked for a version that the cluster does not serve, or the cluster serves none of the group, as mostly up to 1.33.",
		Native:  "Ask for a version that is listed. If none is, upgrade the cluster to Kubernetes 1.34, or switch the group on.",
		Command: served,
	},
	{
		Name:    "A kubelet of another release than the cluster",
		Seen:    []Seen{{`failed to fetch ResourceClaim gpu referenced by pod a: the server could not find the requested resource`, nil}},
		pattern: `failed to fetch ResourceClaim \S+ referenced by pod \S+ the server could not find the requested resource`,
		Cause:   "kubelet asks for claims in the version of its own release, which the API server does not serve: v1 since 1.34, v1beta1 in 1.32 and 1.33, v1alpha3 in 1.31.",
		Native:  "Bring kubelet to the release of the API server, or let --runtime-config of kube-apiserver serve that version.",
		Command: "kubectl get nodes",
	},
	{
		Name: "A cluster without the group",
		Seen: []Seen{
			{`the server could not find the requested resource (get deviceclasses.resource.k8s.io)`, []string{"kubernetes/autoscaler#9244"}},
		},
		pattern: `could not find the requested resource \(\w+ ` + resources + `\.resource\.k8s\.io`,
		Cause: "The cluster does not serve ${resource} in the version that the client asks for. Mostly it is of 1.33 or older, and serves none of the group. " +
			"Schedulers and autoscalers wait for ever.",
		Native:    "Upgrade the cluster to Kubernetes 1.34, which has v1 on, or take an older release of the client: Cluster Autoscaler 1.34 or older.",
		Command:   bridgeCommand,
		Otherwise: "if kubectl printed it, " + served,
	},
}
