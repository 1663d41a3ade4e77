//go:build e2e

package apiservices

import (
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// The API server's own admission decides on the pods that the Deployment would make: by the restricted Pod Security standard, and by the
// priority class and the quota for it.
func (c *cluster) testPods(t *testing.T) {
	deployment, err := c.dynamic.Resource(schema.GroupVersionResource{Group: "apps", Version: "v1", Resource: "deployments"}).
		Namespace("claimbridge-system").Get(t.Context(), "claimbridge-apiserver", metav1.GetOptions{})
	if err != nil {
		t.Fatal(err)
	}
	template, _, err := unstructured.NestedMap(deployment.Object, "spec", "template")
	if err != nil {
		t.Fatal(err)
	}
	pod := &unstructured.Unstructured{Object: template}
	pod.SetAPIVersion("v1")
	pod.SetKind("Pod")
	pod.SetName("claimbridge-apiserver-0")
	create := func() (*unstructured.Unstructured, error) {
		return c.dynamic.Resource(schema.GroupVersionResource{Version: "v1", Resource: "pods"}).Namespace("claimbridge-system").
			Create(t.Context(), pod, metav1.CreateOptions{DryRun: []string{metav1.DryRunAll}, FieldValidation: "Strict"})
	}
	created, err := create()
	if err != nil {
		t.Fatal(err)
	}
	if priority, _, _ := unstructured.NestedInt64(created.Object, "spec", "priority"); priority < 2_000_000_000 {
		t.Errorf("priority %d", priority)
	}
	containers, _, _ := unstructured.NestedSlice(pod.Object, "spec", "containers")
	unstructured.RemoveNestedField(containers[0].(map[string]any), "securityContext", "allowPrivilegeEscalation")
	_ = unstructured.SetNestedSlice(pod.Object, containers, "spec", "containers")
	if _, err := create(); err == nil || !strings.Contains(err.Error(), `violates PodSecurity "restricted`) {
		t.Errorf("want a pod that may gain privileges refused, got %v", err)
	}
}
