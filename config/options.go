package config

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// DefaultGroup is the group that claims have in-tree, and what the server and the other commands
// take when none is named. The manifests have no default: definitions of this group break an API
// server that serves it itself.
const DefaultGroup = "resource.k8s.io"

// What the manifests have when nothing else is asked for.
const (
	DefaultNamespace = "claimbridge-system"
	DefaultImage     = "ghcr.io/claimbridge/claimbridge:v0.2.0"
)

// Certificates tells who makes the serving certificate, and puts its CA where API servers look for it: the caBundle of
// custom resource definitions and webhook configurations.
type Certificates string

const (
	// CertManager is the cert-manager of the cluster. The default.
	CertManager Certificates = "cert-manager"
	// Self is the server itself, with a CA in the Secret claimbridge-ca that all replicas share.
	Self Certificates = "self"
	// Files is the user, with the Secret claimbridge-tls and [Options.CABundle].
	Files Certificates = "files"
)

// Part of the manifests.
type Part string

const (
	// CRDsPart is the custom resource definitions. They alone hold claims: who deletes them deletes all claims.
	CRDsPart Part = "crds"
	// RolesPart is the roles for those who use claims. They belong to the definitions: without them nobody but
	// administrators has a right to claims.
	RolesPart Part = "roles"
	// ServerPart is the namespace, the server and all it needs.
	ServerPart Part = "server"
	// WebhooksPart is the mutating and the validating webhook configuration.
	WebhooksPart Part = "webhooks"
	// MonitorPart is the ServiceMonitor for the Prometheus operator. It only comes when asked for, since an API server
	// refuses it where the operator is not installed.
	MonitorPart Part = "monitor"
	// AlertsPart is the PrometheusRule for the Prometheus operator, with a runbook of each alert in
	// docs/alerts.md. It only comes when asked for, too.
	AlertsPart Part = "alerts"
	// DashboardPart is a ConfigMap with the dashboard for Grafana, which its sidecar finds by a
	// label. It only comes when asked for, too.
	DashboardPart Part = "dashboard"
)

// Options of the manifests. All but Group have a default, which is what config/default has.
type Options struct {
	// Group is the API group of the claims. There is no default, and only the parts that watch do
	// without: a group of one's own is good for every cluster, resource.k8s.io only for one whose
	// API server does not serve any version of it itself.
	Group string
	// Namespace of the server, which is among the manifests and gets the labels of the restricted Pod Security
	// standard. Default: claimbridge-system.
	Namespace string
	// Image of the server, best with a digest. Default: the release's.
	Image string
	// Certificates by cert-manager (the default), by the server itself, or from files.
	Certificates Certificates
	// CABundle (PEM) is what API servers trust the server by. Only with Files; without it nothing works until it
	// is put into the two definitions and the two webhook configurations by other means.
	CABundle []byte
	// AdmissionPolicy adds a ValidatingAdmissionPolicy that holds the server's account to the caBundle of what it may
	// patch. Only with Self, where it may patch anything, and for clusters of Kubernetes 1.30 or newer.
	AdmissionPolicy bool
	// AdminAccessPolicy adds a ValidatingAdmissionPolicy that keeps claims with admin access to
	// namespaces with the label resource.kubernetes.io/admin-access: "true". For clusters of
	// Kubernetes 1.30 or newer.
	AdminAccessPolicy bool
	// Versions of claims that are served, of [Versions]. The one that is stored always is. Each
	// costs the API server a cache of all claims. Default: all.
	Versions []string
	// KubernetesRelease by whose rules the server judges, like 1.34. Default: that of each version.
	KubernetesRelease string
	// Only one part. Default: all but those that watch: MonitorPart, AlertsPart and DashboardPart.
	Only Part
}

// complete fills in defaults, and tells what cannot be.
func (o Options) complete() (Options, error) {
	if o.Only.Watches() {
		o.Group = cmp.Or(o.Group, DefaultGroup) // which is not in it
	}
	o.Namespace = cmp.Or(o.Namespace, DefaultNamespace)
	o.Image = cmp.Or(o.Image, DefaultImage)
	o.Certificates = cmp.Or(o.Certificates, CertManager)
	return o, errors.Join(checkGroup(o.Group), checkNamespace(o.Namespace), checkImage(o.Image),
		o.checkCertificates(), o.checkPolicy(), checkVersions(o.Versions), checkRelease(o.KubernetesRelease),
		checkPart(o.Only))
}

// maxGroup leaves room for "resourceclaimtemplates." in the name of a definition, which has 253 bytes.
const maxGroup = 253 - len("resourceclaimtemplates.")

var (
	subdomain = pattern(`^[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)+$`)
	label     = pattern(`^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$`)
	release   = pattern(`^1\.[0-9]{1,3}$`)
	image     = pattern(`^([a-zA-Z0-9.-]+(:[0-9]+)?/)?` + imagePath + `(/` + imagePath +
		`)*(:\w[\w.-]{0,127})?(@[a-z0-9]+:[0-9a-f]{32,})?$`)
)

const imagePath = `[a-z0-9]+([._-]+[a-z0-9]+)*`

func checkGroup(group string) error {
	if group == "" {
		return errors.New("no group is named: one of your own, like claims.example.com, is good for every cluster; " +
			DefaultGroup +
			" only for one whose API server does not serve it itself")
	}
	if len(group) > maxGroup || !subdomain().MatchString(group) {
		return fmt.Errorf("group %.300q: must be a domain name in lower case with at least one dot and at most %d "+
			"letters, like claims.example.com",
			group, maxGroup)
	}
	return nil
}

// shared namespaces must not get labels of ours.
var shared = []string{"default", "kube-node-lease", "kube-public", "kube-system"}

func checkNamespace(namespace string) error {
	switch {
	case !label().MatchString(namespace):
		return fmt.Errorf("namespace %.100q: must be a DNS label: at most 63 lower-case letters, digits and '-', no "+
			"'-' at its ends",
			namespace)
	case slices.Contains(shared, namespace):
		return fmt.Errorf("namespace %s: others live there, and the manifests restrict the pods of their namespace: "+
			"name one for claimbridge alone",
			namespace)
	}
	return nil
}

func checkImage(name string) error {
	if !image().MatchString(name) {
		return fmt.Errorf("image %.300q: must be the name of an image, like registry.example.com/claimbridge:v1 or "+
			"...@sha256:..., in lower case",
			name)
	}
	return nil
}

// checkRelease by its form. Which of them there are rules of is for the server to know.
func checkRelease(name string) error {
	if name != "" && !release().MatchString(name) {
		return fmt.Errorf("release %.20q of Kubernetes: must be like 1.34", name)
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
		return fmt.Errorf("a CA is only given with certificates=%s; with %s it is put into the manifests in the cluster",
			Files, o.Certificates)
	}
	return checkCA(o.CABundle)
}

func (o Options) checkPolicy() error {
	if o.AdmissionPolicy && o.Certificates != Self {
		return fmt.Errorf("an admission policy is only for certificates=%s; with %s the server has no right to patch "+
			"anything",
			Self, o.Certificates)
	}
	return nil
}

// Parts in which the manifests can be had.
var Parts = []Part{CRDsPart, RolesPart, ServerPart, WebhooksPart, MonitorPart, AlertsPart, DashboardPart}

// Watches tells the parts that others than Kubernetes read, Prometheus and Grafana. They come when
// asked for, and need no group.
func (p Part) Watches() bool { return p == MonitorPart || p == AlertsPart || p == DashboardPart }

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
