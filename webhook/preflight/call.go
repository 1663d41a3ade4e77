package preflight

import (
	"bytes"
	"cmp"
	"crypto/x509"
	"fmt"
	"net"
	"net/url"
	"slices"
	"strconv"
	"strings"

	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/utils/ptr"
)

// call is whom an object has API servers call.
type call struct {
	object Object
	// field of the object that says so.
	field string
	// pointer (JSON) to that field.
	pointer string
	// wantPath is where the server answers such calls.
	wantPath string

	url                      string
	namespace, service, path string
	port                     int32
	caBundle                 []byte
}

// calls of the definitions and webhook configurations that are about our group.
func (s *state) calls() []call { return append(s.conversions(), s.admissions()...) }

func (s *state) conversions() (all []call) {
	for _, crd := range s.definitions() {
		if !convertsByWebhook(crd) || crd.Spec.Conversion.Webhook.ClientConfig == nil {
			continue
		}
		config := crd.Spec.Conversion.Webhook.ClientConfig
		c := call{
			object:   definitions.object("", crd.Name),
			field:    "spec.conversion.webhook.clientConfig",
			pointer:  "/spec/conversion/webhook/clientConfig",
			wantPath: "/convert", caBundle: config.CABundle,
		}
		all = append(all, c.to(config.URL, (*admissionregistrationv1.ServiceReference)(config.Service)))
	}
	return all
}

func convertsByWebhook(crd *apiextensionsv1.CustomResourceDefinition) bool {
	c := crd.Spec.Conversion
	return c != nil && c.Strategy == apiextensionsv1.WebhookConverter && c.Webhook != nil
}

func (s *state) admissions() (all []call) {
	for _, hook := range s.hooks() {
		c := call{
			object:   hook.object,
			field:    hook.field() + ".clientConfig",
			pointer:  fmt.Sprintf("/webhooks/%d/clientConfig", hook.index),
			wantPath: hook.wantPath, caBundle: hook.ClientConfig.CABundle,
		}
		all = append(all, c.to(hook.ClientConfig.URL, hook.ClientConfig.Service))
	}
	return all
}

// to a service, or a URL.
func (c call) to(address *string, service *admissionregistrationv1.ServiceReference) call {
	if service != nil {
		c.namespace, c.service = service.Namespace, service.Name
		c.path, c.port = ptr.Deref(service.Path, "/"), ptr.Deref(service.Port, httpsPort)
	}
	if address != nil {
		c.url = *address
		if parsed, err := url.Parse(*address); err == nil {
			c.path = parsed.Path
		}
	}
	return c
}

// serverName that the certificate must be valid for.
func (c call) serverName() string {
	if c.url == "" {
		return c.service + "." + c.namespace + ".svc"
	}
	host, _, _ := net.SplitHostPort(c.address())
	return host
}

// address is host:port of a URL.
func (c call) address() string {
	parsed, err := url.Parse(c.url)
	if err != nil {
		return ""
	}
	return net.JoinHostPort(parsed.Hostname(), cmp.Or(parsed.Port(), strconv.Itoa(httpsPort)))
}

// bundle of CAs that API servers trust in a call; nil when there is none that could be read.
func (c call) bundle() []*x509.Certificate {
	all, _ := parseCertificates(c.caBundle)
	return all
}

// blank is how API servers see a bundle of white space, the placeholder of many charts: as none at all.
func (c call) blank() bool { return len(bytes.TrimSpace(c.caBundle)) == 0 }

// isCalled says of a call that it is of the Service of the manifests.
func (s *state) isCalled(c call) bool {
	return c.url == "" && c.namespace == s.Namespace && c.service == name
}

// calledServices are the services that are called, each with its calls.
func (s *state) calledServices() [][]call {
	var groups [][]call
	for _, c := range s.calls() {
		i := slices.IndexFunc(groups, func(g []call) bool {
			return g[0].namespace == c.namespace && g[0].service == c.service
		})
		switch {
		case c.url != "":
		case i < 0:
			groups = append(groups, []call{c})
		default:
			groups[i] = append(groups[i], c)
		}
	}
	return groups
}

// callers names the objects that make calls.
func callers(calls []call) string {
	var names []string
	for _, c := range calls {
		names = append(names, c.object.String())
	}
	return strings.Join(slices.Compact(names), ", ") // those of one object stand together
}
