package preflight

import (
	"regexp"
	"slices"
	"strings"
)

// refusesGroup is what a server says, in a conversion as in an admission, that was started for other groups. It was reached.
var refusesGroup = regexp.MustCompile(`API group "[^"]*" is not served here`)

const servesOthers = "a server of another group answers: "

// reportOthers once for what is called, unless the flags of the Deployment have said so already.
func (v *view) reportOthers(message string) {
	object := services.object(v.options.Namespace, name)
	if v.found(serverServesThisGroup) || slices.ContainsFunc(v.findings, func(f Finding) bool { return f.Object == object && strings.HasPrefix(f.What, servesOthers) }) {
		return
	}
	r := say("start the server with --group=%s", v.options.Group)
	if deployment, _ := v.aside().deployment(); deployment != nil {
		r = say("the Deployment has the right --group, so these are not its pods, or older ones: compare the endpoints of the Service with the addresses of its pods, then restart them (%s)", v.restart())
	}
	v.report(object, servesOthers+message, r.by(v.whoAnswers(v.options.Namespace, name)...))
}

// whoAnswers for a Service, and which pods there are.
func (v *view) whoAnswers(namespace, service string) []string {
	return []string{
		v.kubectl("-n", namespace, "get", "endpointslices", "-l", "kubernetes.io/service-name="+service, "-o", "wide"),
		v.kubectl("-n", namespace, "get", "pods", "-o", "wide"),
	}
}

// restart the pods, which is for a person to decide: it stands in the text of a remedy, never in its command.
func (v *view) restart() string { return v.inNamespace("rollout", "restart", "deployment/"+name) }
