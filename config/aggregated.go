package config

import (
	"encoding/base64"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// DefaultAggregatedImage is the aggregated API server's when nothing else is asked for.
const DefaultAggregatedImage = "ghcr.io/claimbridge/claimbridge-apiserver:v0.1.0"

// ActAs says as whom the aggregated API server asks the cluster.
type ActAs string

const (
	// Caller impersonates whoever calls, for claims and their kin alone: constrained impersonation, on by default from
	// Kubernetes 1.36. The default.
	Caller ActAs = "caller"
	// CallerLegacy impersonates whoever calls by the impersonation of Kubernetes 1.34 and 1.35, which is worth the cluster.
	CallerLegacy ActAs = "caller-legacy"
	// Nobody impersonates nobody: reads with rights of its own, and no writes.
	Nobody ActAs = "nobody"
)

// Actors are all that there are.
var Actors = []ActAs{Caller, CallerLegacy, Nobody}

// AggregatedOptions of the manifests of the aggregated API server. All have a default, which is what
// config/aggregated/default has.
type AggregatedOptions struct {
	// Namespace of the server, which is among the manifests. Default: claimbridge-system.
	Namespace string
	// Image of the server, best with a digest. Default: the release's.
	Image string
	// Certificates by cert-manager (the default), by the server itself, or from files, in the Secret claimbridge-apiserver-tls.
	Certificates Certificates
	// CABundle (PEM) is what API servers trust the server by. Only with Files; without it nothing works until it is put into the
	// APIServices by other means.
	CABundle []byte
	// Versions that are served, of [AggregatedVersions], none of which the cluster may serve itself. Default: v1beta1 and v1beta2.
	Versions []string
	// ActAs says as whom the cluster is asked. Default: Caller.
	ActAs ActAs
	// Only one part, of [AggregatedParts]. Default: all but those that watch.
	Only Part
}

// AggregatedVersions are those that can be served over v1, oldest first: all but v1.
var AggregatedVersions = Versions[:len(Versions)-1]

// AggregatedByDefault are those that have all kinds of their release.
var AggregatedByDefault = []string{"v1beta1", "v1beta2"}

// AggregatedParts in which its manifests can be had.
var AggregatedParts = []Part{ServerPart, APIServicesPart, MonitorPart, AlertsPart, DashboardPart}

// AggregatedManifests install the aggregated API server, as a stream of YAML documents in an order for kubectl apply: the namespace is first,
// the APIServices are last. To uninstall, APIServicesPart is deleted first: as long as an APIService leads nowhere no namespace of
// the cluster finishes deleting.
//
// The error names every option that cannot be.
func AggregatedManifests(o AggregatedOptions) ([]byte, error) {
	o, err := o.complete()
	if err != nil {
		return nil, err
	}
	text, err := rendered.ReadFile("rendered/aggregated-" + o.file() + ".yaml")
	if err != nil {
		return nil, err
	}
	var server, services []string
	for document := range strings.SplitSeq(string(text), separator) {
		switch {
		case kindOf(document) != "APIService":
			server = append(server, document)
		case strings.Contains(document, apiServiceName(AggregatedByDefault[0])+"\n"):
			for _, version := range o.Versions {
				services = append(services, o.apiService(document, version))
			}
		}
	}
	if server, err = o.act(server); err != nil {
		return nil, err
	}
	documents := slices.Concat(server, services)
	switch o.Only {
	case ServerPart, MonitorPart, AlertsPart, DashboardPart:
		documents = server
	case APIServicesPart:
		documents = services
	}
	return []byte(replaceValues(o.serve(strings.Join(documents, separator)), o.values())), nil
}

// file that is rendered, and that has what is asked for.
func (o AggregatedOptions) file() string {
	if o.Only.Watches() {
		return watching(o.Only, o.Certificates)
	}
	return string(o.Certificates)
}

// complete fills in defaults, and tells what cannot be.
func (o AggregatedOptions) complete() (AggregatedOptions, error) {
	o.Namespace = orDefault(o.Namespace, DefaultNamespace)
	o.Image = orDefault(o.Image, DefaultAggregatedImage)
	o.Certificates = orDefault(o.Certificates, CertManager)
	o.ActAs = orDefault(o.ActAs, Caller)
	err := errors.Join(checkNamespace(o.Namespace), checkImage(o.Image), Options{Certificates: o.Certificates, CABundle: o.CABundle}.checkCertificates(),
		checkAggregatedVersions(o.Versions), checkActAs(o.ActAs), checkAggregatedPart(o.Only))
	if len(o.Versions) == 0 {
		o.Versions = AggregatedByDefault
	}
	asked := o.Versions
	o.Versions = slices.DeleteFunc(slices.Clone(AggregatedVersions), func(version string) bool { return !slices.Contains(asked, version) })
	return o, err
}

func checkAggregatedVersions(versions []string) error {
	for _, version := range versions {
		if !slices.Contains(AggregatedVersions, version) {
			return fmt.Errorf("version %.100q: must be one of %s: v1 is the cluster's own, over which they are served",
				version, strings.Join(AggregatedVersions, ", "))
		}
	}
	return nil
}

func checkActAs(actor ActAs) error {
	if !slices.Contains(Actors, actor) {
		return fmt.Errorf("act as %.100q: must be one of %s", actor, list(Actors))
	}
	return nil
}

func checkAggregatedPart(part Part) error {
	if part != "" && !slices.Contains(AggregatedParts, part) {
		return fmt.Errorf("part %.100q of the aggregated API server: must be one of %s", part, list(AggregatedParts))
	}
	return nil
}

func apiServiceName(version string) string { return version + "." + DefaultGroup }

// versionPriority as in-tree: below the 21 of v1, which so stays the version that clients prefer. Alphas are equal, and ordered by their names.
func versionPriority(version string) int {
	switch version {
	case "v1beta2":
		return 15
	case "v1beta1":
		return 9
	}
	return 1
}

var (
	priority = pattern(`(?m)^  versionPriority: \d+$`)
	spec     = pattern(`(?m)^spec:\n`)
)

// apiService of a version, made from the one of v1beta1.
func (o AggregatedOptions) apiService(document, version string) string {
	document = replaceValues(document, map[string]string{
		apiServiceName(AggregatedByDefault[0]): apiServiceName(version), AggregatedByDefault[0]: version,
	})
	document = priority().ReplaceAllString(document, "  versionPriority: "+strconv.Itoa(versionPriority(version)))
	if o.CABundle != nil {
		document = spec().ReplaceAllString(document, "${0}  caBundle: "+base64.StdEncoding.EncodeToString(o.CABundle)+"\n")
	}
	return document
}

// act puts the role of whom it acts as in the place of the one that is rendered, which has the same name.
func (o AggregatedOptions) act(documents []string) ([]string, error) {
	if o.ActAs == Caller {
		return documents, nil
	}
	role, err := rendered.ReadFile("rendered/aggregated-" + string(o.ActAs) + ".yaml")
	if err != nil {
		return nil, err
	}
	for i, document := range documents {
		if kindOf(document) == "ClusterRole" && strings.Contains(document, "\n  name: claimbridge-apiserver\n") {
			documents[i] = string(role)
		}
	}
	return documents, nil
}

// authorityNames in the right to write the caBundle of APIServices: these two, and no others around them.
var authorityNames = pattern(`(?m)^  resourceNames:\n( *- )v1beta1\.resource\.k8s\.io\n *- v1beta2\.resource\.k8s\.io\n`)

// serve the versions that are asked for, and hold the right to write APIServices to theirs.
func (o AggregatedOptions) serve(text string) string {
	return authorityNames().ReplaceAllStringFunc(text, func(list string) string {
		indent := authorityNames().FindStringSubmatch(list)[1]
		var names strings.Builder
		names.WriteString("  resourceNames:\n")
		for _, version := range o.Versions {
			names.WriteString(indent + apiServiceName(version) + "\n")
		}
		return names.String()
	})
}

// values that depend on options, as [Options.values].
func (o AggregatedOptions) values() map[string]string {
	const server = "claimbridge-apiserver"
	return map[string]string{
		DefaultNamespace:                                       scalar(o.Namespace),
		DefaultNamespace + "/" + server + "-tls":               o.Namespace + "/" + server + "-tls",
		server + "." + DefaultNamespace + ".svc":               server + "." + o.Namespace + ".svc",
		DefaultAggregatedImage:                                 scalar(o.Image),
		"--act-as=" + string(Caller):                           "--act-as=" + string(o.ActAs),
		"--versions=" + strings.Join(AggregatedByDefault, ","): "--versions=" + strings.Join(o.Versions, ","),
	}
}
