package preflight

import (
	"slices"

	"github.com/claimbridge/claimbridge/config"
)

// partNames are what remedies call the parts of the manifests.
var partNames = map[config.Part]string{
	config.CRDsPart:     "the definitions",
	config.ServerPart:   "the server",
	config.WebhooksPart: "the webhook configurations",
}

// apply is the remedy for a wrong object of the manifests.
func (s *state) apply(part config.Part) remedy {
	if s.groupIsBuiltIn() {
		return s.takeAnotherGroup()
	}
	const page = "docs/preflight.md#apply-the-manifests-again"
	return say("apply %s again (--only=%s), with the flags of your installation: %s", partNames[part], part, page)
}

// applyTo is the remedy for a wrong call in an object.
func (s *state) applyTo(c call) remedy {
	if c.object.Kind == definitions.kind {
		return s.apply(config.CRDsPart)
	}
	return s.apply(config.WebhooksPart)
}

// installAll is the remedy where nothing is installed.
func (s *state) installAll() remedy {
	if s.groupIsBuiltIn() {
		return s.takeAnotherGroup()
	}
	return say("install it (docs/quick-start.md, \"2. Install\"), or name your installation with --group and " +
		"--namespace")
}

// takeAnotherGroup is the remedy where the API server serves the group itself, so that definitions
// of it have no effect.
func (s *state) takeAnotherGroup() remedy {
	return say("never install the definitions of %s here; install claimbridge for a group of your own: "+
		"claimbridge manifests --group=claims.YOUR-DOMAIN", s.Group)
}

// hasCertManager reports whether the cluster serves the definitions of cert-manager.
func (s *state) hasCertManager() bool {
	return slices.ContainsFunc(s.apiServices, func(a apiService) bool { return a.Spec.Group == "cert-manager.io" })
}

// byCertManager is the remedy for what cert-manager does.
func (s *state) byCertManager(text string) remedy {
	switch {
	case s.hasCertManager():
		return say("%s", text).by(s.inNamespace("describe", "certificates.cert-manager.io"))
	case s.groupIsBuiltIn():
		return s.takeAnotherGroup()
	}
	return say("cert-manager is not in this cluster: install it and apply the manifests again, or apply them with " +
		"--certificates=self: docs/certificates.md")
}

// byIssuer returns the remedy of the one that issues the certificates: the server, cert-manager, or an administrator.
func (s *state) byIssuer(server remedy, certManager string, administrator remedy) remedy {
	switch s.certificates() {
	case config.Self:
		return server
	case config.CertManager:
		return s.byCertManager(certManager)
	}
	return administrator
}

// fillIn is the remedy for the caBundle of a call.
func (s *state) fillIn(c call) remedy {
	administrator := s.applyTo(c)
	administrator.text = "set it to the CA of your certificate: " + administrator.text
	const certManager = "cert-manager's cainjector fills it in when the certificate is ready; see whether it is"
	return s.byIssuer(s.byServer(), certManager, administrator)
}

func (s *state) byServer() remedy {
	const text = "the server fills it in, and looks every ten seconds: run preflight again; if it is still so then, " +
		"see its log"
	return say(text).by(s.serverLog())
}

func (s *state) renewCA() remedy {
	server := say("the server renews it; see in its log why it does not").by(s.serverLog())
	administrator := say("generate a new CA and certificate, store both in Secret %s, and the CA in each caBundle: "+
		"docs/certificates.md has the order", s.certificateSource().name)
	return s.byIssuer(server, "cert-manager renews it; see why it does not", administrator)
}

// replaceService is the remedy for a Service that applying the manifests does not correct, since
// its wrong port or type stays.
func (s *state) replaceService(c call) remedy {
	r := s.apply(config.ServerPart)
	return remedy{"delete it, and " + r.text, s.kubectl("-n", c.namespace, "delete", "service", c.service)}
}

// whoAnswers returns commands that show the endpoints of a Service, and the pods of its namespace.
func (s *state) whoAnswers(namespace, service string) []string {
	return []string{
		s.kubectl("-n", namespace, "get", "endpointslices", "-l", "kubernetes.io/service-name="+service, "-o", "wide"),
		s.kubectl("-n", namespace, "get", "pods", "-o", "wide"),
	}
}
