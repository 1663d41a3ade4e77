package preflight

import (
	"path"
	"slices"
	"strings"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"github.com/claimbridge/claimbridge/config"
)

// Annotations of cert-manager: one asks its cainjector to fill in a caBundle, the other is on Secrets that it makes.
const (
	injectAnnotation = "cert-manager.io/inject-ca-from"
	issuedAnnotation = "cert-manager.io/certificate-name"
)

// certificates says who makes those of the installation.
func (s *state) certificates() config.Certificates {
	source := s.certificateSource()
	injected := slices.ContainsFunc(s.definitions(), func(crd *apiextensionsv1.CustomResourceDefinition) bool {
		return crd.Annotations[injectAnnotation] != ""
	})
	for _, configuration := range s.configurations {
		injected = injected || configuration != nil && configuration.Annotations[injectAnnotation] != ""
	}
	secret := s.secrets[source.name]
	switch {
	case source.authority && (source.known || !injected):
		return config.Self
	case injected || secret != nil && secret.Annotations[issuedAnnotation] != "":
		return config.CertManager
	}
	return config.Files
}

// certificateSource is the Secret that the server has its certificate from, or its CA.
type certificateSource struct {
	name      string
	authority bool
	// known is false when no Deployment says so.
	known bool
}

func (s *state) certificateSource() certificateSource {
	if s.deployment != nil {
		if source := sourceOf(s.deployment); source.known {
			return source
		}
	}
	if s.secrets[servingSecret] == nil && s.secrets[authoritySecret] != nil {
		return certificateSource{name: authoritySecret, authority: true}
	}
	return certificateSource{name: servingSecret}
}

// sourceOf the certificate, by the flags of the server: --certificate-secret names a Secret with a
// CA, --cert-dir a folder that a Secret is mounted at, --tls-cert-file a file in one.
func sourceOf(deployment *appsv1.Deployment) certificateSource {
	pod := deployment.Spec.Template.Spec
	for i := range pod.Containers {
		container := &pod.Containers[i]
		if secret := flagOf(container, "certificate-secret"); secret != nil {
			return certificateSource{secret[0][strings.LastIndex(secret[0], "/")+1:], true, true}
		}
		folder := flagOf(container, "cert-dir")
		if file := flagOf(container, "tls-cert-file"); file != nil {
			folder = []string{path.Dir(file[0])}
		}
		if folder == nil {
			continue
		}
		for _, volume := range pod.Volumes {
			mounts := func(m corev1.VolumeMount) bool { return m.MountPath == folder[0] && m.Name == volume.Name }
			if volume.Secret != nil && slices.ContainsFunc(container.VolumeMounts, mounts) {
				return certificateSource{volume.Secret.SecretName, false, true}
			}
		}
	}
	return certificateSource{}
}

// flagOf a container: all its values.
func flagOf(container *corev1.Container, flag string) (values []string) {
	for _, arg := range slices.Concat(container.Command, container.Args) {
		if value, ok := strings.CutPrefix(arg, "--"+flag+"="); ok {
			values = append(values, value)
		}
	}
	return values
}

// server is the container that claimbridge runs in.
func server(deployment *appsv1.Deployment) *corev1.Container {
	containers := deployment.Spec.Template.Spec.Containers
	i := slices.IndexFunc(containers, func(c corev1.Container) bool {
		return c.Name == deployment.Name || len(containers) == 1
	})
	if i < 0 {
		return nil
	}
	return &containers[i]
}

// groupsOf the server, by its flags.
func groupsOf(deployment *appsv1.Deployment) (groups []string) {
	if container := server(deployment); container != nil {
		for _, value := range flagOf(container, "group") {
			groups = append(groups, strings.Split(value, ",")...)
		}
	}
	if len(groups) == 0 {
		return []string{config.DefaultGroup}
	}
	return groups
}
