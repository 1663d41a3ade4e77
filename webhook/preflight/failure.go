package preflight

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/claimbridge/claimbridge/api"
)

// What an API server says when it could not ask a webhook, and when a webhook or a policy said no.
var (
	notConverted = regexp.MustCompile(`conversion webhook for (\S+), Kind=(\w+) failed: `)
	notAsked     = regexp.MustCompile(`failed calling webhook "([^"]+)"`)
	saidNo       = regexp.MustCompile(`admission webhook "([^"]+)" denied`)
	policySaidNo = regexp.MustCompile(`ValidatingAdmissionPolicy '([^']+)'`)
	overQuota    = regexp.MustCompile(`exceeded quota: ([^,]+),`)
	mayNot       = regexp.MustCompile(` is forbidden: User ".*" cannot `)
	// anObject is how the server begins what it says about objects that do not convert: it was reached, then.
	anObject = regexp.MustCompile(`failed: objects?\[`)
)

// uncalled is a request that failed since a webhook of ours could not be called, or did not answer as it should, and
// which call that was. Nil when that is not what the API server says.
func (v *view) uncalled(message string) *call {
	var match func(call) bool
	if m := notConverted.FindStringSubmatch(message); m != nil && !anObject.MatchString(message) && !refusesGroup.MatchString(message) {
		plural := claims
		if m[2] == api.KindTemplate {
			plural = templates
		}
		match = func(c call) bool {
			return c.object.Kind == definitions.kind && c.object.Name == v.definitionName(plural)
		}
	} else if m := notAsked.FindStringSubmatch(message); m != nil {
		match = func(c call) bool { return strings.HasPrefix(c.field, "webhooks["+m[1]+"]") }
	} else {
		return nil
	}
	calls := v.aside().calls()
	if i := slices.IndexFunc(calls, match); i >= 0 {
		return &calls[i]
	}
	return nil
}

// theWay to the server is what these checks look at: a problem that one of them found explains why it cannot be called.
func (v *view) theWayIsKnown() bool {
	return v.found(conversionIsNotLeftBehind, webhooksCallThisInstallation, serverServesThisGroup, certificateSecretIsFilled, deploymentIsAvailable,
		serviceExists, serviceHasPort, serviceHasEndpoints, caBundleIsSet, caBundleIsCurrent, certificateIsCurrent, certificateIsTrusted)
}

// reportUncalled once for each place that is called, whatever fails by it.
func (v *view) reportUncalled(c *call, message, consequence string) {
	object := c.object
	if c.url == "" {
		object = services.object(c.namespace, c.service)
	}
	if slices.ContainsFunc(v.findings, func(f Finding) bool { return f.Object == object && strings.HasPrefix(f.What, cannotCall) }) {
		return
	}
	v.report(object, fmt.Sprintf("%s%s, so %s", cannotCall, message, consequence), v.reach(c, message))
}

const cannotCall = "the API server cannot call it: "

// reach a server that is not reached, by what the API server says about it.
func (v *view) reach(c *call, message string) remedy {
	if c.url != "" {
		return say("see that claimbridge answers at %s, or have it called by its Service", c.url).by(v.byService(c))
	}
	look, restart := v.whoAnswers(c.namespace, c.service), ""
	if deployment, _ := v.aside().deployment(); deployment != nil {
		restart = ", then restart the pods (" + v.restart() + ")"
	}
	service, _ := v.aside().service(c.namespace, c.service)
	says := func(texts ...string) bool {
		return slices.ContainsFunc(texts, func(text string) bool { return strings.Contains(message, text) })
	}
	switch {
	case service != nil && service.Spec.Type == corev1.ServiceTypeExternalName:
		r := v.serviceAnew(*c)
		r.text = "its Service is of type ExternalName and leads to " + service.Spec.ExternalName + " instead of the pods: " + r.text
		return r
	case says("x509:", "tls:"):
		return say("another server answers at its endpoints, or its pods have not taken the certificate of the Secret: compare the endpoints with the addresses of the pods%s", restart).
			by(look...)
	case says("connection refused", "EOF", "connection reset"):
		return say("nothing listens at its endpoints: compare them with the addresses of the pods, and see the log%s", restart).
			by(append(look, v.inNamespace("logs", "deployment/"+name, "--tail=50"))...)
	case says("deadline exceeded", "i/o timeout", "no route to host", "unreachable", "Timeout"):
		return say("let API servers connect to port 9443 of its pods: a firewall, a network policy or a route is in the way (docs/troubleshooting.md, \"The server is not reached\")").by(look...)
	}
	return say("docs/troubleshooting.md has the text; see where its endpoints lead, and whether pods of claimbridge have these addresses").by(look...)
}

// byService is a command that has a webhook called by the Service of the manifests instead of a URL. Applying the manifests
// does not: it would leave the URL beside the Service, which is refused.
func (v *view) byService(c *call) string {
	config := map[string]any{"service": map[string]any{"namespace": v.options.Namespace, "name": name, "path": c.wantPath, "port": httpsPort}}
	for _, other := range v.aside().calls() {
		served := v.aside().served(other)
		if bundle := other.bundle(); other.url == "" && served != nil && served.trusted(bundle, other.serverName()) == nil {
			config["caBundle"] = other.caBundle
		}
	}
	patch, err := json.Marshal([]any{map[string]any{"op": "replace", "path": c.pointer, "value": config}})
	if err != nil {
		panic(err) // of strings, numbers and bytes
	}
	return v.kubectl("patch", c.object.Kind, c.object.Name, "--type=json", "-p", string(patch))
}
