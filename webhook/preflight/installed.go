package preflight

import (
	"regexp"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/claimbridge/claimbridge/config"
)

// certificates says who makes those of the installation.
func (v *view) certificates() config.Certificates {
	quiet := v.aside()
	if deployment, _ := quiet.deployment(); deployment != nil {
		if source, ok := sourceOf(deployment); ok && source.authority {
			return config.Self
		}
	}
	for _, object := range quiet.callers() {
		if object.GetAnnotations()[injectAnnotation] != "" {
			return config.CertManager
		}
	}
	source := quiet.certificateSource()
	if source.authority {
		return config.Self
	}
	if secret, _ := get[corev1.Secret](quiet, secrets, v.options.Namespace, source.name); secret != nil && secret.Annotations[issuedAnnotation] != "" {
		return config.CertManager
	}
	return config.Files
}

// Annotations of cert-manager: one asks its cainjector to fill in a caBundle, the other is on Secrets that it makes.
const (
	injectAnnotation = "cert-manager.io/inject-ca-from"
	issuedAnnotation = "cert-manager.io/certificate-name"
)

// callers are the objects by which API servers call us, of those that are there.
func (v *view) callers() []metav1.Object { return v.installed(config.CRDsPart, config.WebhooksPart) }

// installed objects of parts of the manifests, of those that are looked at.
func (v *view) installed(parts ...config.Part) (all []metav1.Object) {
	for _, part := range parts {
		switch part {
		case config.CRDsPart:
			for _, crd := range v.definitions() {
				all = append(all, crd)
			}
		case config.WebhooksPart:
			if configuration, _ := v.validating(); configuration != nil {
				all = append(all, configuration)
			}
			if configuration, _ := v.mutating(); configuration != nil {
				all = append(all, configuration)
			}
		case config.ServerPart:
			if deployment, _ := v.deployment(); deployment != nil {
				all = append(all, deployment)
			}
			if service, _ := v.service(v.options.Namespace, name); service != nil {
				all = append(all, service)
			}
			all = append(all, v.policyObjects()...)
		}
	}
	return all
}

// imageFlag gives the image that is installed, so that applying the manifests does not replace it.
func (v *view) imageFlag() []string {
	deployment, _ := v.aside().deployment()
	if deployment == nil {
		return nil
	}
	if container := server(deployment); container != nil && container.Image != "" {
		return []string{"--image=" + container.Image}
	}
	return nil
}

// policyFlag where the policy is installed, or was: one of its two objects is there.
func (v *view) policyFlag(mode config.Certificates) []string {
	if mode == config.Self && len(v.aside().policyObjects()) > 0 {
		return []string{"--admission-policy"}
	}
	return nil
}

// server is the container that claimbridge runs in.
func server(deployment *appsv1.Deployment) *corev1.Container {
	containers := deployment.Spec.Template.Spec.Containers
	for i := range containers {
		if containers[i].Name == deployment.Name {
			return &containers[i]
		}
	}
	if len(containers) == 1 {
		return &containers[0]
	}
	return nil
}

// element of a list, as fields of findings name it.
var element = regexp.MustCompile(`\[([^]]+)\]`)

// installedCA is a command that prints, in base64, a CA that fits what is served. It is empty when nothing has one.
func (v *view) installedCA() string {
	quiet := v.aside()
	for _, c := range quiet.calls() {
		bundle := c.bundle()
		if _, current := roots(bundle); !current {
			continue
		}
		if served := quiet.served(c); served != nil && served.trusted(bundle, c.serverName()) != nil {
			continue
		}
		return v.kubectl("get", c.object.Kind, c.object.Name, "-o", "jsonpath={."+element.ReplaceAllString(c.field, `[?(@.name=="$1")]`)+".caBundle}")
	}
	source := quiet.certificateSource()
	if secret, _ := get[corev1.Secret](quiet, secrets, v.options.Namespace, source.name); secret != nil && len(secret.Data["ca.crt"]) > 0 {
		return v.inNamespace("get", "secret", source.name, "-o", `jsonpath={.data.ca\.crt}`)
	}
	return ""
}
