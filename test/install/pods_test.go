//go:build e2e

package install

import (
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/claimbridge/claimbridge/test/testkit/must"
)

// checkPodSecurity checks that the API server admits the pods of the Deployment to their namespace, which enforces the
// restricted Pod Security Standard and has a quota for the priority class, and rejects a less restricted pod.
func (i *installation) checkPodSecurity(t *testing.T) {
	pod := podOfDeployment(t, sortedObjects(t, i.stream(t, false)))
	create := func() (*unstructured.Unstructured, error) {
		return i.clientFor(t, pod).Create(t.Context(), pod, metav1.CreateOptions{
			DryRun: []string{metav1.DryRunAll}, FieldValidation: "Strict",
		})
	}
	created := must.Get(create())(t)
	if priority, _, _ := unstructured.NestedInt64(created.Object, "spec", "priority"); priority < 2_000_000_000 {
		t.Errorf("got priority %d, want at least 2000000000, a system priority class", priority)
	}
	containers, _, _ := unstructured.NestedSlice(pod.Object, "spec", "containers")
	unstructured.RemoveNestedField(containers[0].(map[string]any), "securityContext", "allowPrivilegeEscalation")
	_ = unstructured.SetNestedSlice(pod.Object, containers, "spec", "containers")
	if _, err := create(); err == nil || !strings.Contains(err.Error(), `violates PodSecurity "restricted`) {
		t.Errorf("pod without allowPrivilegeEscalation: false: got error %v, want it rejected by PodSecurity", err)
	}
}

// podOfDeployment returns a pod from the template of the Deployment.
func podOfDeployment(t *testing.T, objects []*unstructured.Unstructured) *unstructured.Unstructured {
	t.Helper()
	for _, object := range objects {
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
	t.Fatal("the manifests have no Deployment")
	return nil
}
