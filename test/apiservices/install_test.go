//go:build e2e

package apiservices

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/wait"

	"github.com/claimbridge/claimbridge/webhook/authority"
)

var apiServices = schema.GroupVersionResource{Group: "apiregistration.k8s.io", Version: "v1", Resource: "apiservices"}

// All of it on a cluster with default flags, which has v1 alone, in the order of an installation's life.
func TestAnInstallationLives(t *testing.T) {
	t.Parallel()
	c := start(t, "")
	c.testManifests(t)
	c.testServer(t)
	c.testUninstall(t)
}

func (c *cluster) testManifests(t *testing.T) {
	c.run(t, "kubectl create namespace claimbridge-system") // a dry run keeps none, and what is in it would not be looked at
	output := c.run(t, "claimbridge manifests --aggregated --versions=v1beta2,v1beta1,v1alpha3 --certificates=files | kubectl apply --server-side --dry-run=server -f -")
	if count := strings.Count(output, "serverside-applied (server dry run)"); count != strings.Count(output, "\n") {
		t.Errorf("a dry run says\n%s", output)
	}
	t.Run("with cert-manager", func(t *testing.T) {
		module, err := exec.CommandContext(t.Context(), "go", "list", "-m", "-f", "{{.Dir}}", "github.com/cert-manager/cert-manager").Output()
		if err != nil {
			t.Fatal(err)
		}
		c.run(t, "kubectl apply --server-side -f "+strings.TrimSpace(string(module))+"/deploy/crds && kubectl wait --for=condition=Established --timeout=60s crd --all")
		output := c.run(t, "claimbridge manifests --aggregated | kubectl apply --server-side --dry-run=server -f -")
		if strings.Count(output, "cert-manager.io/claimbridge-apiserver") != 4 || strings.Count(output, "serverside-applied (server dry run)") != strings.Count(output, "\n") {
			t.Errorf("a dry run says\n%s", output)
		}
		c.run(t, "kubectl delete crd --all") // whoever asks what is in the cluster takes --certificates=self else
	})
	t.Run("one apply is enough, and a second one changes nothing", func(t *testing.T) {
		install := "claimbridge manifests --aggregated --certificates=self | kubectl apply --server-side -f -"
		lines := strings.Split(strings.TrimSpace(c.run(t, install)), "\n")
		if last := lines[len(lines)-2:]; !strings.HasPrefix(last[0], "apiservice.") || !strings.HasPrefix(last[1], "apiservice.") || !strings.HasPrefix(lines[0], "namespace/") {
			t.Errorf("applied in the order\n%s", strings.Join(lines, "\n"))
		}
		before := c.versions(t)
		c.run(t, install)
		if diff := cmp.Diff(before, c.versions(t)); diff != "" {
			t.Error(diff)
		}
		if output, code := c.shell(t, "claimbridge manifests --aggregated --certificates=self | kubectl diff --server-side -f -"); code != 0 {
			t.Errorf("a diff: exit code %d\n%s", code, output)
		}
	})
	t.Run("v1 stays the version that clients prefer", func(t *testing.T) {
		wait.PollUntilContextTimeout(t.Context(), 200*time.Millisecond, 30*time.Second, true, func(context.Context) (bool, error) { //nolint:errcheck // looked at below
			return strings.Contains(c.run(t, "kubectl get --raw /apis/resource.k8s.io"), "v1beta1"), nil
		})
		if group := c.run(t, "kubectl get --raw /apis/resource.k8s.io"); !strings.Contains(group, `"preferredVersion":{"groupVersion":"resource.k8s.io/v1"`) || !strings.Contains(group, "resource.k8s.io/v1beta2") {
			t.Errorf("the group is %s", group)
		}
	})
	t.Run("its pods may be made", c.testPods)
	t.Run("the shared CA reaches the APIServices", c.testAuthority)
	t.Run("preflight", c.testPreflight)
	t.Run("what an outage explains is not called ok", c.testStatesOfAnOutage)
	t.Run("a version that is taken away", c.testAVersionThatIsTakenAway)
	t.Run("asked by nobody in particular", c.testANobodyAsks)
	t.Run("the policy of the page sees the node of an account, and refuses one without", c.testPolicy)
	t.Run("another way to act takes the rights of the last away", func(t *testing.T) {
		c.run(t, "claimbridge manifests --aggregated --act-as=nobody --only=server --certificates=self | kubectl apply --server-side -f -")
		for question, want := range map[string]string{"list resourceclaims.resource.k8s.io": "yes", "create resourceclaims.resource.k8s.io": "no", "impersonate-on:user-info:get resourceclaims.resource.k8s.io": "no"} {
			c.awaitRight(t, serverAccount, question, want)
		}
	})
}

func (c *cluster) testUninstall(t *testing.T) {
	t.Run("an uninstall takes the APIServices first", func(t *testing.T) {
		before := strings.Count(c.run(t, "kubectl get apiservices -o name"), "\n")
		for i, line := range uninstall(t) {
			output := c.run(t, line)
			if i == 0 && strings.Count(output, `.resource.k8s.io" deleted`) != 2 {
				t.Errorf("deleted were first\n%s", output)
			}
		}
		if after := strings.Count(c.run(t, "kubectl get apiservices -o name"), "\n"); after != before-2 {
			t.Errorf("of %d APIServices %d are left", before, after)
		}
		if left := c.run(t, "kubectl get -A -o name -l app.kubernetes.io/name=claimbridge-apiserver apiservices,deployments,services,secrets,roles,rolebindings,clusterroles,clusterrolebindings,serviceaccounts,networkpolicies,poddisruptionbudgets,resourcequotas 2>/dev/null"); left != "" {
			t.Errorf("left are\n%s", left)
		}
	})
}

// uninstall as the page says, but for the wait for a namespace: no controller runs here that would end it.
func uninstall(t *testing.T) (lines []string) {
	t.Helper()
	page, err := os.ReadFile("../../docs/aggregated.md")
	if err != nil {
		t.Fatal(err)
	}
	_, chapter, _ := strings.Cut(string(page), "\n## Uninstall\n")
	chapter, _, _ = strings.Cut(chapter, "\n## ")
	for line := range strings.Lines(strings.ReplaceAll(chapter, "\\\n", "")) {
		if command, ok := strings.CutPrefix(line, "    kubectl "); ok {
			lines = append(lines, strings.Replace("kubectl "+strings.TrimSpace(command), "delete namespace", "delete --wait=false namespace", 1))
		}
	}
	if len(lines) < 4 || !strings.HasPrefix(lines[0], "kubectl delete apiservices ") {
		t.Fatalf("the page has %q", lines)
	}
	return lines
}

// versions of all objects that are labelled, by which a change is seen.
func (c *cluster) versions(t *testing.T) []string {
	t.Helper()
	return strings.Split(c.run(t, "kubectl get -A -l app.kubernetes.io/name=claimbridge-apiserver -o 'jsonpath={range .items[*]}{.kind}/{.metadata.name} {.metadata.generation} {.spec}{.rules}{\"\\n\"}{end}' "+
		"apiservices,deployments,services,roles,rolebindings,clusterroles,clusterrolebindings,serviceaccounts,networkpolicies,poddisruptionbudgets,resourcequotas"), "\n")
}

// The CA is in every caBundle before it signs, and what it signs is trusted by that for the name that API servers ask for.
func (c *cluster) testAuthority(t *testing.T) {
	names := []string{"v1beta1.resource.k8s.io", "v1beta2.resource.k8s.io"}
	shared, err := authority.NewShared(authority.Config{
		Cluster: c.Config, Namespace: "claimbridge-system", Name: "claimbridge-apiserver-ca",
		// One of the API server's own, and one that is not there: both are passed over.
		APIServices: append(slices.Clone(names), "v1.resource.k8s.io", "v1alpha1.resource.k8s.io"),
	})
	if err != nil {
		t.Fatal(err)
	}
	rotated := make(chan struct{}, 1)
	shared.WatchRotation(rotated)
	go func() { _ = shared.Run(t.Context()) }()
	<-rotated
	for _, name := range names {
		service := c.apiService(t, name)
		bundle, _, _ := unstructured.NestedString(service.Object, "spec", "caBundle")
		if bundle == "" {
			t.Errorf("%s has no caBundle", name)
		}
		if owner := service.GetManagedFields(); !slices.ContainsFunc(owner, func(f metav1.ManagedFieldsEntry) bool {
			return f.Manager == "claimbridge" && string(f.FieldsV1.GetRawBytes()) == `{"f:spec":{"f:caBundle":{}}}`
		}) {
			t.Errorf("%s: the authority owns more than the caBundle: %v", name, owner)
		}
	}
	if own := c.apiService(t, "v1.resource.k8s.io"); fmt.Sprint(own.Object["spec"]) != "map[group:resource.k8s.io groupPriorityMinimum:16200 version:v1 versionPriority:21]" {
		t.Errorf("the API server's own is %v", own.Object["spec"])
	}
	// Applying the manifests again leaves it alone.
	before := c.apiService(t, names[0]).GetResourceVersion()
	c.run(t, "claimbridge manifests --aggregated --certificates=self | kubectl apply --server-side -f -")
	if spec := c.apiService(t, names[0]); spec.Object["spec"].(map[string]any)["caBundle"] == nil {
		t.Errorf("the caBundle is gone, after version %s", before)
	}
}

func (c *cluster) apiService(t *testing.T, name string) *unstructured.Unstructured {
	t.Helper()
	service, err := c.dynamic.Resource(apiServices).Get(t.Context(), name, metav1.GetOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return service
}
