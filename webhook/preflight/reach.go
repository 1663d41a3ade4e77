package preflight

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/claimbridge/claimbridge/api"
)

// uncalled is a request that failed since a webhook of ours could not be called, or did not answer as it should, and
// which call that was. Nil when that is not what the API server says.
func (s *state) uncalled(message string) *call {
	var object Object
	var field string
	conversion := notConverted.FindStringSubmatch(message)
	if conversion != nil && !anObject.MatchString(message) && !refusesGroup.MatchString(message) {
		plural := cmp.Or(map[string]string{api.KindTemplate: templates}[conversion[2]], claims)
		object = definitions.object("", s.definitionName(plural))
	} else if admission := notAsked.FindStringSubmatch(message); admission != nil {
		field = hookField(admission[1])
	}
	calls := s.calls()
	i := slices.IndexFunc(calls, func(c call) bool {
		return c.object == object || field != "" && strings.HasPrefix(c.field, field)
	})
	if i < 0 {
		return nil
	}
	return &calls[i]
}

// reportUncalled once for each place that is called, whatever fails by it.
func reportUncalled(s *state, r *report, c *call, message, consequence string) {
	object := c.object
	if c.url == "" {
		object = services.object(c.namespace, c.service)
	}
	r.once(object, fmt.Sprintf("the API server cannot call it: %s, so %s", message, consequence), s.reach(c, message))
}

// reportOthers once for what is called.
func reportOthers(s *state, r *report, message string) {
	do := say("start the server with --group=%s", s.Group)
	if s.deployment != nil {
		do = say("the Deployment has the right --group, so these are not its pods, or older ones: compare the "+
			"endpoints of the Service with the addresses of its pods, then restart them (%s)",
			s.restart())
	}
	r.once(services.object(s.Namespace, name), "a server of another group answers: "+message,
		do.by(s.whoAnswers(s.Namespace, name)...))
}

// reach a server that is not reached, by what the API server says about it.
func (s *state) reach(c *call, message string) remedy {
	if c.url != "" {
		return say("see that claimbridge answers at %s, or have it called by its Service", c.url).by(s.byService(c))
	}
	look, restart := s.whoAnswers(c.namespace, c.service), ""
	if s.deployment != nil {
		restart = ", then restart the pods (" + s.restart() + ")"
	}
	service := s.service(c.namespace, c.service)
	says := func(texts ...string) bool {
		return slices.ContainsFunc(texts, func(text string) bool { return strings.Contains(message, text) })
	}
	switch {
	case service != nil && service.Spec.Type == corev1.ServiceTypeExternalName:
		r := s.replaceService(*c)
		r.text = "its Service is of type ExternalName and leads to " + service.Spec.ExternalName +
			" instead of the pods: " + r.text
		return r
	case says("x509:", "tls:"):
		return say("another server answers at its endpoints, or its pods have not taken the certificate of the "+
			"Secret: compare the endpoints with the addresses of the pods%s",
			restart).by(look...)
	case says("connection refused", "EOF", "connection reset"):
		return say("nothing listens at its endpoints: compare them with the addresses of the pods, and see the log%s",
			restart).by(append(look, s.serverLog())...)
	case says("deadline exceeded", "i/o timeout", "no route to host", "unreachable", "Timeout"):
		return say("let API servers connect to port 9443 of its pods: a firewall, a network policy or a route is in " +
			"the way (docs/troubleshooting.md, \"The server is not reached\")").by(look...)
	}
	return say("docs/troubleshooting.md has the text; see where its endpoints lead, and whether pods of claimbridge " +
		"have these addresses").by(look...)
}

// byService is a command that has a webhook called by the Service of the manifests instead of a
// URL. Applying the manifests does not: it would leave the URL beside the Service, which is
// refused.
func (s *state) byService(c *call) string {
	config := map[string]any{
		"service": map[string]any{"namespace": s.Namespace, "name": name, "path": c.wantPath, "port": httpsPort},
	}
	for _, other := range s.calls() {
		served := s.serving(other)
		bundle := other.bundle()
		if other.url == "" && served != nil && served.trusted(bundle, other.serverName()) == nil {
			config["caBundle"] = other.caBundle
		}
	}
	patch, err := json.Marshal([]any{map[string]any{"op": "replace", "path": c.pointer, "value": config}})
	if err != nil {
		panic(err) // of strings, numbers and bytes
	}
	return s.kubectl("patch", c.object.Kind, c.object.Name, "--type=json", "-p", string(patch))
}
