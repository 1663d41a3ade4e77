package preflight

import (
	"testing"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
)

// Where the server has its certificate from is in its own flags.
func TestSourceOfTheCertificate(t *testing.T) {
	mounted := corev1.PodSpec{
		Containers: []corev1.Container{
			{Name: "sidecar", Args: []string{"--cert-dir=/elsewhere"}},
			{
				Args: []string{"serve", "--cert-dir=/tls"},
				VolumeMounts: []corev1.VolumeMount{
					{Name: "config", MountPath: "/config"}, {Name: "pair", MountPath: "/tls"},
				},
			},
		},
		Volumes: []corev1.Volume{
			{Name: "config", VolumeSource: corev1.VolumeSource{ConfigMap: &corev1.ConfigMapVolumeSource{}}},
			{Name: "pair", VolumeSource: corev1.VolumeSource{Secret: &corev1.SecretVolumeSource{SecretName: "mine"}}},
		},
	}
	tests := map[string]struct {
		pod  corev1.PodSpec
		want certificateSource
	}{
		"a mounted Secret": {mounted, certificateSource{name: "mine", known: true}},
		"a shared CA": {
			corev1.PodSpec{
				Containers: []corev1.Container{{Args: []string{"serve", "--certificate-secret=$(POD_NAMESPACE)/ours"}}},
			},
			certificateSource{name: "ours", authority: true, known: true},
		},
		"a folder that is no Secret": {
			corev1.PodSpec{Containers: []corev1.Container{{Args: []string{"serve", "--cert-dir=/tls"}}}},
			certificateSource{},
		},
		"no flag": {
			corev1.PodSpec{Containers: []corev1.Container{{Args: []string{"serve"}}}},
			certificateSource{},
		},
	}
	for name, test := range tests {
		got := sourceOf(&appsv1.Deployment{
			Spec: appsv1.DeploymentSpec{Template: corev1.PodTemplateSpec{Spec: test.pod}},
		})
		if got != test.want {
			t.Errorf("%s: want %+v, got %+v", name, test.want, got)
		}
	}
}
