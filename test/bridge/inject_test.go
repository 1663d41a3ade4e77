//go:build e2e

package bridge

import (
	"os/exec"
	"strings"
	"testing"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/yaml"

	"github.com/claimbridge/claimbridge/test/testkit/must"
)

// restricted is a pod that the profile of this name takes.
const restricted = `apiVersion: v1
kind: Pod
metadata: {name: a}
spec:
  securityContext: {runAsNonRoot: true, seccompProfile: {type: RuntimeDefault}}
  containers:
  - name: a
    image: a
    securityContext: {allowPrivilegeEscalation: false, capabilities: {drop: [ALL]}}
`

// warned is what an API server says beside its answers.
type warned []string

func (w *warned) HandleWarningHeader(_ int, _, text string) { *w = append(*w, text) }

// An API server takes what is injected, strictly and where pods are restricted, without a warning.
func TestInjectedPodsAreTakenWhereTheyAreRestricted(t *testing.T) {
	c, _ := some()
	namespace, _ := c.space(t)
	var warnings warned
	config := rest.CopyConfig(c.Config)
	config.WarningHandler = &warnings
	client := must.Get(kubernetes.NewForConfig(config))(t)
	labels := `{"metadata":{"labels":{"pod-security.kubernetes.io/enforce":"restricted","pod-security.kubernetes.io/warn":"restricted"}}}`
	if _, err := client.CoreV1().Namespaces().Patch(t.Context(), namespace, "application/merge-patch+json", []byte(labels), metav1.PatchOptions{}); err != nil {
		t.Fatal(err)
	}
	path := must.Get(program("claimbridge"))(t)
	inject := exec.Command(path, "proxy", "inject")
	inject.Stdin = strings.NewReader(restricted)
	text := must.Get(inject.Output())(t)
	var pod corev1.Pod
	must.Do(t, yaml.UnmarshalStrict(text, &pod))
	dry := metav1.CreateOptions{DryRun: []string{metav1.DryRunAll}, FieldValidation: metav1.FieldValidationStrict}
	if _, err := client.CoreV1().Pods(namespace).Create(t.Context(), &pod, dry); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	some := map[string]string{"app": "a"}
	deployment := &appsv1.Deployment{ObjectMeta: metav1.ObjectMeta{Name: "a"}, Spec: appsv1.DeploymentSpec{
		Selector: &metav1.LabelSelector{MatchLabels: some},
		Template: corev1.PodTemplateSpec{ObjectMeta: metav1.ObjectMeta{Labels: some}, Spec: pod.Spec},
	}}
	if _, err := client.AppsV1().Deployments(namespace).Create(t.Context(), deployment, dry); err != nil {
		t.Error(err)
	}
	if len(warnings) > 0 {
		t.Error(warnings)
	}
}
