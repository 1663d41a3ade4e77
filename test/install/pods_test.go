//go:build e2e

package install

import (
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/claimbridge/claimbridge/test/testkit/must"
)

// podSecurity checks that the API server's admission accepts the pods of the Deployment, with the restricted Pod
// Security standard and the quota for the priority class.
func (i *installation) podSecurity(t *testing.T) {
	pod := podOf(t, listed(t, i.stream(t, false)))
	create := func() (*unstructured.Unstructured, error) {
		return i.resource(t, pod).Create(t.Context(), pod, metav1.CreateOptions{
			DryRun: []string{metav1.DryRunAll}, FieldValidation: "Strict",
		})
	}
	created := must.Get(create())(t)
	if priority, _, _ := unstructured.NestedInt64(created.Object, "spec", "priority"); priority < 2_000_000_000 {
		t.Errorf("priority %d", priority)
	}
	containers, _, _ := unstructured.NestedSlice(pod.Object, "spec", "containers")
	unstructured.RemoveNestedField(containers[0].(map[string]any), "securityContext", "allowPrivilegeEscalation")
	_ = unstructured.SetNestedSlice(pod.Object, containers, "spec", "containers")
	if _, err := create(); err == nil || !strings.Contains(err.Error(), `violates PodSecurity "restricted`) {
		t.Errorf("want a pod that may gain privileges rejected, got %v", err)
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
