package config

import (
	"cmp"
	"embed"
	"strings"
)

//go:embed rendered/*.yaml
var rendered embed.FS

// Manifests returns a stream of YAML documents for kubectl apply --server-side -f -. They are in an order in which one
// apply is enough: the namespace is first, and the webhook configurations are last.
//
// The error names every invalid option.
func Manifests(o Options) ([]byte, error) {
	o, err := o.complete()
	if err != nil {
		return nil, err
	}
	var documents []string
	for _, file := range o.files() {
		text, err := rendered.ReadFile("rendered/" + file + ".yaml")
		if err != nil {
			return nil, err
		}
		for document := range strings.SplitSeq(string(text), separator) {
			if o.Only == "" || o.Only == partOf(document) {
				documents = append(documents, document)
			}
		}
	}
	return []byte(o.writeOptions(strings.Join(documents, separator))), nil
}

// files returns the rendered files that have the requested objects.
func (o Options) files() []string {
	switch {
	case o.Only == MonitorPart && o.Certificates == Self:
		// Prometheus then reads the CA from the Secret claimbridge-ca instead of claimbridge-tls.
		return []string{"monitor-self"}
	case o.Only.IsMonitoring():
		return []string{string(o.Only)}
	}
	files := []string{string(o.Certificates)}
	if o.AdmissionPolicy {
		files = append(files, "admission-policy")
	}
	if o.AdminAccessPolicy {
		files = append(files, "admin-access-policy")
	}
	return files
}

// CRDs returns the two custom resource definitions, whose conversion webhook is the Service claimbridge in the
// namespace claimbridge-system. They have no caBundle.
func CRDs(group string) ([]byte, error) {
	return Manifests(Options{Group: group, Certificates: Files, Only: CRDsPart})
}

// Webhooks returns the mutating and the validating webhook configuration, for the same Service and without a caBundle.
func Webhooks(group string) ([]byte, error) {
	return Manifests(Options{Group: group, Certificates: Files, Only: WebhooksPart})
}

const separator = "---\n"

var kindPattern = lazyRegexp(`(?m)^kind: (\w+)$`)

// claimsRoleLabel is the label of the roles for users of claims.
const claimsRoleLabel = "\n    app.kubernetes.io/component: claims\n"

// partsByKind has the part of a document by its kind. All other kinds belong to the server.
var partsByKind = map[string]Part{
	"CustomResourceDefinition":       CRDsPart,
	"MutatingWebhookConfiguration":   WebhooksPart,
	"ValidatingWebhookConfiguration": WebhooksPart,
	"ServiceMonitor":                 MonitorPart, "PrometheusRule": AlertsPart, "ConfigMap": DashboardPart,
}

func partOf(document string) Part {
	if strings.Contains(document, claimsRoleLabel) {
		return RolesPart
	}
	return cmp.Or(partsByKind[kindPattern().FindStringSubmatch(document)[1]], ServerPart)
}
