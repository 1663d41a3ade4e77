//go:build e2e

package bridge

import (
	"testing"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/yaml"

	"github.com/claimbridge/claimbridge/test/testkit/docs"
	"github.com/claimbridge/claimbridge/test/testkit/must"
)

// warningRecorder records the warnings in the responses of an API server.
type warningRecorder []string

// HandleWarningHeader implements rest.WarningHandler.
func (w *warningRecorder) HandleWarningHeader(_ int, _, text string) { *w = append(*w, text) }

// TestDocumentedPodIsRestricted checks that an API server accepts the Pod in docs/bridge.md, and a Deployment of it,
// with strict field validation and without warnings, in a namespace with the pod security standard restricted.
func TestDocumentedPodIsRestricted(t *testing.T) {
	c, _ := anyPair()
	namespace, _ := c.newNamespace(t)
	var warnings warningRecorder
	config := rest.CopyConfig(c.Config)
	config.WarningHandler = &warnings
	client := must.Get(kubernetes.NewForConfig(config))(t)
	labels := `{"metadata":{"labels":{"pod-security.kubernetes.io/enforce":"restricted",` +
		`"pod-security.kubernetes.io/warn":"restricted"}}}`
	patch := metav1.PatchOptions{}
	must.Get(client.CoreV1().Namespaces().Patch(t.Context(), namespace, types.MergePatchType, []byte(labels), patch))(t)

	var pod corev1.Pod
	must.Do(t, yaml.UnmarshalStrict([]byte(docs.YAML(t, "bridge.md", "kind: Pod\n")), &pod))
	dryRun := metav1.CreateOptions{DryRun: []string{metav1.DryRunAll}, FieldValidation: metav1.FieldValidationStrict}
	must.Get(client.CoreV1().Pods(namespace).Create(t.Context(), &pod, dryRun))(t)

	app := map[string]string{"app": "a"}
	deployment := &appsv1.Deployment{
		ObjectMeta: metav1.ObjectMeta{Name: "a"},
		Spec: appsv1.DeploymentSpec{
			Selector: &metav1.LabelSelector{MatchLabels: app},
			Template: corev1.PodTemplateSpec{ObjectMeta: metav1.ObjectMeta{Labels: app}, Spec: pod.Spec},
		},
	}
	must.Get(client.AppsV1().Deployments(namespace).Create(t.Context(), deployment, dryRun))(t)
	if len(warnings) > 0 {
		t.Errorf("got the warnings %q, want none", warnings)
	}
}
