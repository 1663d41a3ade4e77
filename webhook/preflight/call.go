package preflight

import (
	"cmp"
	"fmt"
	"net"
	"net/url"
	"slices"
	"strconv"
	"strings"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
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

const httpsPort = 443

// calls of the definitions and webhook configurations that are about our group.
func (v *view) calls() []call { return append(v.conversions(), v.admissions()...) }

func (v *view) conversions() (all []call) {
	for _, crd := range v.definitions() {
		if !convertsByWebhook(crd) || crd.Spec.Conversion.Webhook.ClientConfig == nil {
			continue
		}
		config := crd.Spec.Conversion.Webhook.ClientConfig
		c := call{
			object: definitions.object("", crd.Name), field: "spec.conversion.webhook.clientConfig", pointer: "/spec/conversion/webhook/clientConfig",
			wantPath: "/convert",
			caBundle: config.CABundle,
		}
		if s := config.Service; s != nil {
			c.namespace, c.service, c.path, c.port = s.Namespace, s.Name, deref(s.Path, "/"), deref(s.Port, httpsPort)
		}
		all = append(all, c.at(config.URL))
	}
	return all
}

func convertsByWebhook(crd *apiextensionsv1.CustomResourceDefinition) bool {
	c := crd.Spec.Conversion
	return c != nil && c.Strategy == apiextensionsv1.WebhookConverter && c.Webhook != nil
}

func (v *view) admissions() (all []call) {
	for _, hook := range v.hooks() {
		config := hook.config
		c := call{
			object: hook.object, field: hook.field + ".clientConfig", pointer: fmt.Sprintf("/webhooks/%d/clientConfig", hook.index),
			wantPath: hook.wantPath, caBundle: config.CABundle,
		}
		if s := config.Service; s != nil {
			c.namespace, c.service, c.path, c.port = s.Namespace, s.Name, deref(s.Path, "/"), deref(s.Port, httpsPort)
		}
		all = append(all, c.at(config.URL))
	}
	return all
}

// at a URL, if it is not a service.
func (c call) at(address *string) call {
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

// calledServices are the services that are called, each with its calls.
func (v *view) calledServices() [][]call {
	var groups [][]call
	for _, c := range v.calls() {
		if c.url != "" {
			continue
		}
		i := slices.IndexFunc(groups, func(g []call) bool { return g[0].namespace == c.namespace && g[0].service == c.service })
		if i < 0 {
			groups = append(groups, []call{c})
			continue
		}
		groups[i] = append(groups[i], c)
	}
	return groups
}

func deref[T any](p *T, zero T) T {
	if p == nil {
		return zero
	}
	return *p
}

// callers names the objects that make calls.
func callers(calls []call) string {
	var names []string
	for _, c := range calls {
		if text := c.object.String(); !slices.Contains(names, text) {
			names = append(names, text)
		}
	}
	return strings.Join(names, ", ")
}
