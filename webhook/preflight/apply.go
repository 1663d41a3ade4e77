package preflight

import (
	"fmt"
	"slices"
	"strings"

	"github.com/claimbridge/claimbridge/config"
)

// parts of the manifests, as remedies speak of them.
var parts = map[config.Part]string{
	config.CRDsPart: "the definitions", config.RolesPart: "the roles", config.ServerPart: "the server", config.WebhooksPart: "the webhook configurations",
}

// apply a part of the manifests again, with the options of what is installed.
func (s *state) apply(part config.Part) remedy {
	if s.groupIsBuiltIn() {
		return s.takeAnotherGroup()
	}
	text, source, mode := "apply "+parts[part]+" again", "", s.certificates()
	flags := s.flags(mode)
	if served := s.served(); served != nil {
		flags = append(flags, "--versions="+strings.Join(served, ","))
	}
	switch {
	case part == config.ServerPart:
		flags = append(flags, s.imageFlag()...)
	case mode == config.Files && part != config.RolesPart:
		if source = s.installedCA(); source == "" {
			return say("%s, with the CA of your certificate (claimbridge manifests %s --only=%s --ca-file=...)", text, strings.Join(flags, " "), part)
		}
		source, flags = source+" | base64 -d | ", append(flags, "--ca-file=/dev/stdin")
	}
	return remedy{text + "; this replaces what others have changed in what it says", source + s.manifests(append(flags, "--only="+string(part)))}
}

// applyTo the object that makes a call.
func (s *state) applyTo(c call) remedy {
	if c.object.Kind == definitions.kind {
		return s.apply(config.CRDsPart)
	}
	return s.apply(config.WebhooksPart)
}

// installAll of the manifests, where nothing is installed yet.
func (s *state) installAll() remedy {
	if s.groupIsBuiltIn() {
		return s.takeAnotherGroup()
	}
	mode := config.Self
	if s.hasCertManager() {
		mode = config.CertManager
	}
	return say("install it, with --image=... unless your cluster can pull %s, or say where it is with --group and --namespace", config.DefaultImage).
		by(s.manifests(s.flags(mode)))
}

// takeAnotherGroup, since an API server that serves a group itself never lets definitions have it.
func (s *state) takeAnotherGroup() remedy {
	return say("never install the definitions of %s here; install claimbridge for a group of your own (claimbridge manifests --group=claims.YOUR-DOMAIN)", s.Group)
}

// manifests of some options, applied over what others have changed: without --force-conflicts kubectl would refuse. For groups of
// Kubernetes' own domain the command asks the cluster, which has to be the same one.
func (s *state) manifests(flags []string) string {
	command := []string{"manifests"}
	if strings.HasSuffix(s.Group, "k8s.io") {
		command = append(command, s.ClusterFlags...)
	}
	return shell("claimbridge", command, flags) + " | " + s.kubectl("apply", "--server-side", "--force-conflicts", "-f", "-")
}

func (s *state) hasCertManager() bool {
	return slices.ContainsFunc(s.apiServices, func(a apiService) bool { return a.Spec.Group == "cert-manager.io" })
}

// byCertManager is a remedy for what cert-manager does, unless there is none.
func (s *state) byCertManager(text string) remedy {
	switch {
	case s.hasCertManager():
		return say("%s", text).by(s.inNamespace("describe", "certificates.cert-manager.io"))
	case s.groupIsBuiltIn():
		return s.takeAnotherGroup()
	}
	return say("cert-manager is not in this cluster: install it and apply the manifests again, or apply them with --certificates=self").
		by(s.manifests(append(s.flags(config.Self), s.imageFlag()...)))
}

// where an installation is, as flags.
func (o Options) where(group string) []string {
	flags := []string{"--group=" + group}
	if o.Namespace != config.DefaultNamespace {
		flags = append(flags, "--namespace="+o.Namespace)
	}
	return flags
}

// flags of manifests like those that are installed, with certificates by somebody.
func (s *state) flags(by config.Certificates) []string {
	flags := append(s.where(s.Group), "--certificates="+string(by))
	if s.hasPolicy() {
		flags = append(flags, "--admission-policy")
	}
	return flags
}

// hasPolicy where the policy is installed, or was: one of its two objects is there.
func (s *state) hasPolicy() bool { return s.policy && s.certificates() == config.Self }

// imageFlag gives the image that is installed, so that applying the manifests does not replace it.
func (s *state) imageFlag() []string {
	if image := s.image(); image != "" {
		return []string{"--image=" + image}
	}
	return nil
}

// byWhoever makes the certificates: the server, cert-manager, or people.
func (s *state) byWhoever(server remedy, certManager string, people remedy) remedy {
	switch s.certificates() {
	case config.Self:
		return server
	case config.CertManager:
		return s.byCertManager(certManager)
	}
	return people
}

// fillIn the bundle of a call.
func (s *state) fillIn(c call) remedy {
	people := s.applyTo(c)
	people.text = "put the CA of your certificate there: " + people.text
	return s.byWhoever(s.byServer(), "cert-manager's cainjector fills it in when the certificate is ready; see whether it is", people)
}

func (s *state) byServer() remedy {
	return say("the server fills it in, and looks every ten seconds: run preflight again; if it is still so then, see its log").by(s.serverLog())
}

func (s *state) renewCA() remedy {
	return s.byWhoever(say("the server renews it; see in its log why it does not").by(s.serverLog()), "cert-manager renews it; see why it does not",
		say("make a new CA and certificate, put both into Secret %s, and the CA into each caBundle: docs/certificates.md says in which order", s.certificateSource().name))
}

// serviceAnew, where applying it would leave a wrong port or type beside the right one.
func (s *state) serviceAnew(c call) remedy {
	r := s.apply(config.ServerPart)
	return remedy{"delete it, and " + r.text, s.kubectl("-n", c.namespace, "delete", "service", c.service) + " && " + r.command}
}

// whoAnswers for a Service, and which pods there are.
func (s *state) whoAnswers(namespace, service string) []string {
	return []string{
		s.kubectl("-n", namespace, "get", "endpointslices", "-l", "kubernetes.io/service-name="+service, "-o", "wide"),
		s.kubectl("-n", namespace, "get", "pods", "-o", "wide"),
	}
}

// withTheRelease says whose manifests are meant: this program may be older or newer than the server.
func (s *state) withTheRelease() string {
	if image := s.image(); image != "" {
		return fmt.Sprintf(" (this program must be of the release that the server runs: %s)", image)
	}
	return ""
}
