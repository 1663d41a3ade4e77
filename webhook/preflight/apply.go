package preflight

import (
	"fmt"
	"slices"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"github.com/claimbridge/claimbridge/config"
)

// parts of the manifests, as remedies speak of them.
var parts = map[config.Part]string{
	config.CRDsPart: "the definitions", config.ServerPart: "the server", config.WebhooksPart: "the webhook configurations",
}

// apply a part of the manifests again, with the options of what is installed. What others have changed in it is taken over,
// which kubectl does only when it is asked to.
func (v *view) apply(part config.Part) remedy {
	if v.groupIsBuiltIn() {
		return v.takeAnotherGroup()
	}
	text := "apply " + parts[part] + " again"
	source, flags, mode := "", v.whereFlags(), v.certificates()
	flags = append(append(flags, "--certificates="+string(mode)), v.policyFlag(mode)...)
	flags = append(flags, v.versionsFlag()...)
	switch {
	case part == config.ServerPart:
		flags = append(flags, v.imageFlag()...)
	case mode == config.Files:
		if source = v.installedCA(); source == "" {
			return say("%s, with the CA of your certificate (claimbridge manifests %s --only=%s --ca-file=...)", text, strings.Join(flags, " "), part)
		}
		source, flags = source+" | base64 -d | ", append(flags, "--ca-file=/dev/stdin")
	}
	apply := []string{"apply", "--server-side"}
	if others := otherManagers(v.aside().installed(part), source != ""); len(others) > 0 {
		text += fmt.Sprintf("; this replaces what %s has changed", strings.Join(others, ", "))
		apply = append(apply, "--force-conflicts")
	}
	return remedy{text, source + v.manifests(append(flags, "--only="+string(part))) + " | " + v.kubectl(append(apply, "-f", "-")...)}
}

// applyTo the object that makes a call.
func (v *view) applyTo(c call) remedy {
	if c.object.Kind == definitions.kind {
		return v.apply(config.CRDsPart)
	}
	return v.apply(config.WebhooksPart)
}

// installAll of the manifests, where nothing is installed yet.
func (v *view) installAll() remedy {
	if v.groupIsBuiltIn() {
		return v.takeAnotherGroup()
	}
	flags, mode := v.whereFlags(), config.Self
	for _, s := range v.aside().allAPIServices() {
		if s.Spec.Group == "cert-manager.io" {
			mode = config.CertManager
		}
	}
	flags = append(append(flags, "--certificates="+string(mode)), v.policyFlag(mode)...)
	apply := v.applying(config.CRDsPart, config.ServerPart, config.WebhooksPart)
	return say("install it, with --image=... unless your cluster can pull %s, or say where it is with --group and --namespace", config.DefaultImage).
		by(v.manifests(flags) + " | " + v.kubectl(apply...))
}

// takeAnotherGroup, since an API server that serves a group itself never lets definitions have it.
func (v *view) takeAnotherGroup() remedy {
	return say("never install the definitions of %s here; install claimbridge for a group of your own (claimbridge manifests --group=claims.YOUR-DOMAIN)", v.options.Group)
}

// manifests of some options. For groups of Kubernetes' own domain the command asks the cluster, which has to be the same one.
func (v *view) manifests(flags []string) string {
	command := []string{"manifests"}
	if strings.HasSuffix(v.options.Group, "k8s.io") {
		command = append(command, v.options.ClusterFlags...)
	}
	return shell("claimbridge", command, flags)
}

// byCertManager is a remedy for what cert-manager does, unless there is none.
func (v *view) byCertManager(text string) remedy {
	_, err := v.cluster.get(v.ctx, "/apis/cert-manager.io", nil)
	if !apierrors.IsNotFound(err) {
		return say("%s", text).by(v.inNamespace("describe", "certificates.cert-manager.io"))
	}
	if v.groupIsBuiltIn() {
		return v.takeAnotherGroup()
	}
	flags := append(v.whereFlags(), "--certificates="+string(config.Self))
	apply := v.kubectl(v.applying(config.CRDsPart, config.ServerPart, config.WebhooksPart)...)
	return say("cert-manager is not in this cluster: install it and apply the manifests again, or apply them with --certificates=self").
		by(v.manifests(append(flags, v.imageFlag()...)) + " | " + apply)
}

// whereFlags say which installation is meant.
func (v *view) whereFlags() []string {
	flags := []string{"--group=" + v.options.Group}
	if v.options.Namespace != config.DefaultNamespace {
		flags = append(flags, "--namespace="+v.options.Namespace)
	}
	return flags
}

// versionsFlag names what is served, where a definition of this release does not serve all there is.
func (v *view) versionsFlag() []string {
	for _, crd := range v.definitions() {
		var served []string
		known := 0
		for _, version := range crd.Spec.Versions {
			if slices.Contains(versions, version.Name) {
				known++
				if version.Served {
					served = append(served, version.Name)
				}
			}
		}
		if known == len(versions) && len(served) > 0 && len(served) < known {
			return []string{"--versions=" + strings.Join(served, ",")}
		}
	}
	return nil
}

// applying parts that are installed, over what others have changed.
func (v *view) applying(parts ...config.Part) []string {
	apply := []string{"apply", "--server-side"}
	if len(otherManagers(v.aside().installed(parts...), false)) > 0 {
		apply = append(apply, "--force-conflicts")
	}
	return append(apply, "-f", "-")
}
