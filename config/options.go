package config

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// DefaultGroup is Kubernetes' own group, and the default of the server and of most commands. The manifests have no
// default group, because CRDs in this group break an API server that serves it itself.
const DefaultGroup = "resource.k8s.io"

// Defaults of the manifests.
const (
	DefaultNamespace = "claimbridge-system"
	DefaultImage     = "ghcr.io/claimbridge/claimbridge:v0.2.0"
)

// Certificates is the source of the serving certificate. It also determines who writes its CA to the caBundles of
// custom resource definitions and webhook configurations.
type Certificates string

const (
	// CertManager means that cert-manager issues the certificate. It is the default.
	CertManager Certificates = "cert-manager"
	// Self means that the server signs the certificate with a CA in the Secret claimbridge-ca, which all replicas
	// share.
	Self Certificates = "self"
	// Files means that the user provides the certificate: they store it in the Secret claimbridge-tls, and set
	// [Options.CABundle] to its CA.
	Files Certificates = "files"
)

// Part is a part of the manifests.
type Part string

const (
	// CRDsPart is the custom resource definitions. Deleting them deletes all claims.
	CRDsPart Part = "crds"
	// RolesPart is the roles for users of claims. They belong to the CRDs: without them, only administrators have
	// permissions for claims.
	RolesPart Part = "roles"
	// ServerPart is the namespace, and the server with all objects that it requires.
	ServerPart Part = "server"
	// WebhooksPart is the mutating and the validating webhook configuration.
	WebhooksPart Part = "webhooks"
	// MonitorPart is the ServiceMonitor for the Prometheus operator. It is not included by default, because an API
	// server rejects it if the operator is not installed.
	MonitorPart Part = "monitor"
	// AlertsPart is the PrometheusRule for the Prometheus operator. docs/alerts.md has a runbook for each alert. It is
	// not included by default.
	AlertsPart Part = "alerts"
	// DashboardPart is a ConfigMap with the dashboard for Grafana, which its sidecar selects by a label. It is not
	// included by default.
	DashboardPart Part = "dashboard"
)

// Options are the options of the manifests. All except Group have a default, as in config/default.
type Options struct {
	// Group is the API group of the claims. It is required, except for the parts that [Part.IsMonitoring] selects. Your
	// own group works in every cluster, resource.k8s.io only if the API server does not serve any version of it itself.
	Group string
	// Namespace of the server. The manifests contain it, with the labels of the restricted Pod Security standard.
	// Default: claimbridge-system.
	Namespace string
	// Image of the server, preferably with a digest. Default: the image of the release.
	Image string
	// Certificates is the source of the serving certificate. Default: CertManager.
	Certificates Certificates
	// CABundle (PEM) is the CA of the serving certificate. Only for Files. If it is empty, write the CA to the two CRDs
	// and the two webhook configurations in another way.
	CABundle []byte
	// AdmissionPolicy adds a ValidatingAdmissionPolicy that allows the server's account to change only caBundles. Only
	// for Self, and for Kubernetes 1.30 or later.
	AdmissionPolicy bool
	// AdminAccessPolicy adds a ValidatingAdmissionPolicy that allows claims with admin access only in namespaces with
	// the label resource.kubernetes.io/admin-access: "true". For Kubernetes 1.30 or later.
	AdminAccessPolicy bool
	// Versions are the served versions of claims, a subset of [Versions]. The stored version is always served. Each
	// version costs the API server a cache of all claims. Default: all.
	Versions []string
	// KubernetesRelease is the release whose rules apply, such as 1.34. Default: the release of each version.
	KubernetesRelease string
	// Only selects one part. Default: all except MonitorPart, AlertsPart and DashboardPart.
	Only Part
}

// complete sets defaults, and returns an error for invalid options.
func (o Options) complete() (Options, error) {
	if o.Only.IsMonitoring() {
		o.Group = cmp.Or(o.Group, DefaultGroup) // these parts do not contain it
	}
	o.Namespace = cmp.Or(o.Namespace, DefaultNamespace)
	o.Image = cmp.Or(o.Image, DefaultImage)
	o.Certificates = cmp.Or(o.Certificates, CertManager)
	return o, errors.Join(checkGroup(o.Group), checkNamespace(o.Namespace), checkImage(o.Image),
		o.checkCertificates(), o.checkPolicy(), checkVersions(o.Versions), checkRelease(o.KubernetesRelease),
		checkPart(o.Only))
}

// maxGroup is the maximum length of a group. The name of a CRD, which also contains "resourceclaimtemplates.", has at
// most 253 bytes.
const maxGroup = 253 - len("resourceclaimtemplates.")

var (
	groupPattern     = lazyRegexp(`^[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)+$`)
	namespacePattern = lazyRegexp(`^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$`)
	releasePattern   = lazyRegexp(`^1\.[0-9]{1,3}$`)
	imagePattern     = lazyRegexp(`^([a-zA-Z0-9.-]+(:[0-9]+)?/)?` + imagePath + `(/` + imagePath +
		`)*(:\w[\w.-]{0,127})?(@[a-z0-9]+:[0-9a-f]{32,})?$`)
)

const imagePath = `[a-z0-9]+([._-]+[a-z0-9]+)*`

func checkGroup(group string) error {
	if group == "" {
		return errors.New("group is required: use your own group, such as claims.example.com, or " + DefaultGroup +
			" if the API server doesn't serve it itself")
	}
	if len(group) > maxGroup || !groupPattern().MatchString(group) {
		return fmt.Errorf("group %.300q: must be a domain name in lower case with at least one dot and at most %d "+
			"characters, such as claims.example.com",
			group, maxGroup)
	}
	return nil
}

// sharedNamespaces must not get claimbridge's labels.
var sharedNamespaces = []string{"default", "kube-node-lease", "kube-public", "kube-system"}

func checkNamespace(namespace string) error {
	switch {
	case !namespacePattern().MatchString(namespace):
		return fmt.Errorf("namespace %.100q: must be a DNS label: at most 63 lower-case letters, digits and '-', no "+
			"'-' at its ends",
			namespace)
	case slices.Contains(sharedNamespaces, namespace):
		return fmt.Errorf("namespace %s: use a dedicated namespace, because the manifests restrict its pods", namespace)
	}
	return nil
}

func checkImage(name string) error {
	if !imagePattern().MatchString(name) {
		return fmt.Errorf("image %.300q: must be the name of an image, such as registry.example.com/claimbridge:v1 or "+
			"...@sha256:..., in lower case",
			name)
	}
	return nil
}

// checkRelease checks the form of a release. The server checks whether it has rules for the release.
func checkRelease(name string) error {
	if name != "" && !releasePattern().MatchString(name) {
		return fmt.Errorf("release %.20q: must have the form 1.34", name)
	}
	return nil
}

func (o Options) checkCertificates() error {
	modes := []Certificates{CertManager, Self, Files}
	switch {
	case !slices.Contains(modes, o.Certificates):
		return fmt.Errorf("certificates %.100q: must be one of %s", o.Certificates, list(modes))
	case o.CABundle == nil:
		return nil
	case o.Certificates != Files:
		writer := "cert-manager"
		if o.Certificates == Self {
			writer = "the server"
		}
		return fmt.Errorf("a CA requires certificates=%s; with %s, %s writes its own CA to the caBundles", Files,
			o.Certificates, writer)
	}
	return checkCA(o.CABundle)
}

func (o Options) checkPolicy() error {
	if o.AdmissionPolicy && o.Certificates != Self {
		return fmt.Errorf("an admission policy requires certificates=%s; with %s, the server has no permission to "+
			"patch any object", Self, o.Certificates)
	}
	return nil
}

// Parts of the manifests, as values of [Options.Only].
var Parts = []Part{CRDsPart, RolesPart, ServerPart, WebhooksPart, MonitorPart, AlertsPart, DashboardPart}

// IsMonitoring reports whether Prometheus or Grafana, and not Kubernetes, reads the part. Such parts are not included
// by default, and need no group.
func (p Part) IsMonitoring() bool { return p == MonitorPart || p == AlertsPart || p == DashboardPart }

func checkPart(part Part) error {
	if part != "" && !slices.Contains(Parts, part) {
		return fmt.Errorf("part %.100q: must be one of %s", part, list(Parts))
	}
	return nil
}

func list[T ~string](names []T) string {
	var texts []string
	for _, name := range names {
		texts = append(texts, string(name))
	}
	return strings.Join(texts, ", ")
}
