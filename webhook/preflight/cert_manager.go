package preflight

import (
	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"github.com/claimbridge/claimbridge/config"
)

// byCertManager is a remedy for what cert-manager does, unless there is none.
func (v *view) byCertManager(text string) remedy {
	_, err := v.cluster.get(v.ctx, asJSON, "/apis/cert-manager.io", nil)
	if !apierrors.IsNotFound(err) {
		return say("%s", text).by(v.inNamespace("describe", "certificates.cert-manager.io"))
	}
	if v.groupIsBuiltIn() {
		return v.takeAnotherGroup()
	}
	flags := append(v.place(), "--certificates="+string(config.Self))
	apply := v.kubectl(v.applying(config.CRDsPart, config.ServerPart, config.WebhooksPart)...)
	return say("cert-manager is not in this cluster: install it and apply the manifests again, or apply them with --certificates=self").
		by(v.manifests(append(flags, v.imageFlag()...)) + " | " + apply)
}

// place of the installation, as flags.
func (v *view) place() []string {
	flags := []string{"--group=" + v.options.Group}
	if v.options.Namespace != config.DefaultNamespace {
		flags = append(flags, "--namespace="+v.options.Namespace)
	}
	return flags
}

// applying parts that are installed, over what others have changed.
func (v *view) applying(parts ...config.Part) []string {
	apply := []string{"apply", "--server-side"}
	if len(otherManagers(v.aside().installed(parts...), false)) > 0 {
		apply = append(apply, "--force-conflicts")
	}
	return append(apply, "-f", "-")
}
