//go:build e2e

package manifests

import (
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/claimbridge/claimbridge/config"
)

// The API server's own admission decides on the pods that the Deployment would make: by the restricted Pod Security standard,
// and by the quota for the priority class.
func (c *cluster) podSecurity(t *testing.T) {
	for _, mode := range []config.Certificates{config.CertManager, config.Self, config.Files} {
		stream := manifests(t, config.Options{Group: "claims.example.com", Certificates: mode, Namespace: "pods-" + string(mode), Only: config.ServerPart})
		c.run(t, stream, "apply", "--server-side", "-f", "-")
		pod := podOf(t, objects(t, stream))
		create := func() (*unstructured.Unstructured, error) {
			return c.resource(t, pod).Create(t.Context(), pod, metav1.CreateOptions{DryRun: []string{metav1.DryRunAll}, FieldValidation: "Strict"})
		}
		created, err := create()
		if err != nil {
			t.Errorf("%s: %v", mode, err)
			continue
		}
		if priority, _, _ := unstructured.NestedInt64(created.Object, "spec", "priority"); priority < 2_000_000_000 {
			t.Errorf("%s: priority %d", mode, priority)
		}
		containers, _, _ := unstructured.NestedSlice(pod.Object, "spec", "containers")
		unstructured.RemoveNestedField(containers[0].(map[string]any), "securityContext", "allowPrivilegeEscalation")
		_ = unstructured.SetNestedSlice(pod.Object, containers, "spec", "containers")
		if _, err := create(); err == nil || !strings.Contains(err.Error(), `violates PodSecurity "restricted`) {
			t.Errorf("%s: want a pod that may gain privileges refused, got %v", mode, err)
		}
	}
}

// podOf makes a pod from the template of the Deployment.
func podOf(t *testing.T, stream []*unstructured.Unstructured) *unstructured.Unstructured {
	t.Helper()
	for _, object := range stream {
		template, found, err := unstructured.NestedMap(object.Object, "spec", "template")
		if object.GetKind() != "Deployment" || !found || err != nil {
			continue
		}
		pod := &unstructured.Unstructured{Object: template}
		pod.SetAPIVersion("v1")
		pod.SetKind("Pod")
		pod.SetNamespace(object.GetNamespace())
		pod.SetName("claimbridge-0")
		return pod
	}
	t.Fatal("there is no Deployment")
	return nil
}
