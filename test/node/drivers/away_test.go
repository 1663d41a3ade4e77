//go:build node && aggregated

package drivers

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"k8s.io/client-go/discovery"
)

// A namespace waits for a server that is away, and so does any other. When the server is back they go, or when its APIServices are gone.
func (c *cluster) testAway(t *testing.T) {
	const back = "kubectl scale deployment claimbridge-apiserver -n claimbridge-system --replicas=2 && kubectl rollout status deployment/claimbridge-apiserver -n claimbridge-system"
	versions := strings.Split(everyVersion, ",")

	c.run(t, "kubectl create namespace empty")
	c.away(t, versions)
	pods := c.agree(t, "converted", 2*len(writings))
	c.run(t, "kubectl delete namespace converted empty --wait=false")
	c.waits(t, "converted")
	c.waits(t, "empty")
	c.eventually(t, "what the namespace held is deleted", func() string {
		return strings.TrimPrefix(c.run(t, "kubectl get pods,resourceclaims.v1.resource.k8s.io,resourceclaimtemplates.v1.resource.k8s.io -o name -n converted"), "No resources found in converted namespace.\n")
	})
	t.Logf("%d pods and their claims are gone, and two namespaces wait", len(pods))
	if output, code := c.shell(t, "kubectl get --raw /apis/resource.k8s.io/v1beta1/resourceclaims"); code == 0 || !strings.Contains(output, "unable to handle the request") {
		t.Errorf("v1beta1: exit code %d\n%s", code, output)
	}
	if output, code := c.shell(t, "claimbridge preflight --aggregated"); code == 0 || !strings.Contains(output, "no namespace of the cluster finishes deleting") {
		t.Errorf("preflight: exit code %d\n%s", code, output)
	}
	c.run(t, "kubectl create -n created -f - <<.\n"+meanwhile+".")
	c.waits(t, "empty") // still
	c.run(t, back)
	t.Logf("the namespaces were gone %s after the server was back", c.gone(t, "converted", "empty"))
	for _, version := range versions {
		c.await(t, "kubectl get resourceclaims."+version+".resource.k8s.io meanwhile -n created")
	}

	runbook := commands(t, "aggregated.md", "apply them again, with the flags of the installation")
	c.away(t, versions)
	c.run(t, "kubectl delete namespace created --wait=false")
	c.waits(t, "created")
	c.run(t, runbook[0])
	t.Logf("the namespace was gone %s after the APIServices were", c.gone(t, "created"))
	c.run(t, back)
	c.run(t, strings.Replace(runbook[1], "--certificates=self", "--certificates=self --versions="+everyVersion, 1))
	for _, version := range versions {
		c.await(t, "kubectl get --raw /apis/resource.k8s.io/"+version+"/resourceclaims")
	}
	c.await(t, "claimbridge preflight --aggregated --versions="+everyVersion)
}

// away is the server when it has no pods, and kube-apiserver's discovery says so, by which controllers go. kube-apiserver restarts meanwhile, which it can.
// It does so after the last pod: pods that are on their way out still answer for a while whoever has a connection to them, discovery among others, which asks again a
// minute later at the earliest. One that starts when nobody answers knows at once.
func (c *cluster) away(t *testing.T, versions []string) {
	t.Helper()
	c.run(t, "kubectl scale deployment claimbridge-apiserver -n claimbridge-system --replicas=0 && "+
		"kubectl wait --for=condition=Available=false --timeout=2m apiservices -l app.kubernetes.io/name=claimbridge-apiserver && "+
		"kubectl wait --for=delete --timeout=2m pods -n claimbridge-system -l app.kubernetes.io/name=claimbridge-apiserver")
	started := time.Now()
	if err := c.RestartAPIServer(t.Context()); err != nil {
		t.Fatal(err)
	}
	t.Logf("kube-apiserver was ready again %s after it was told to end", time.Since(started).Round(100*time.Millisecond))
	after := c.eventually(t, "discovery calls all versions stale", func() string {
		if stale := c.stale(t); len(stale) != len(versions) {
			return fmt.Sprint("only ", stale)
		}
		return ""
	})
	t.Logf("discovery called all versions stale after %s more", after)
}

// meanwhile is a claim that somebody creates in v1 while the server is away.
const meanwhile = `apiVersion: resource.k8s.io/v1
kind: ResourceClaim
metadata: {name: meanwhile}
spec: {devices: {requests: [{name: gpu, exactly: {deviceClassName: gpu.example.com}}]}}
`

// waits says why the namespace does not finish.
func (c *cluster) waits(t *testing.T, namespace string) {
	t.Helper()
	c.eventually(t, namespace+" waits", func() string {
		text := c.run(t, "kubectl get namespace -o json "+namespace)
		var n struct {
			Status struct {
				Phase      string
				Conditions []struct{ Type, Status, Message string }
			}
		}
		if err := json.Unmarshal([]byte(text), &n); err != nil {
			t.Fatal(err)
		}
		for _, condition := range n.Status.Conditions {
			if n.Status.Phase == "Terminating" && condition.Type == "NamespaceDeletionDiscoveryFailure" && condition.Status == "True" {
				if !strings.Contains(condition.Message, "resource.k8s.io/v1beta1") {
					t.Errorf("%s waits for %s", namespace, condition.Message)
				}
				return ""
			}
		}
		return text
	})
	if described := c.run(t, "kubectl describe namespace "+namespace); !quoted(t, "NamespaceDeletionDiscoveryFailure True").In(described) {
		t.Errorf("docs/troubleshooting.md does not have what is seen:\n%s", described)
	}
}

// stale versions, of which the API server's discovery says that it has not heard from who serves them.
func (c *cluster) stale(t *testing.T) []string {
	t.Helper()
	client, err := discovery.NewDiscoveryClientForConfig(c.Config())
	if err != nil {
		t.Fatal(err)
	}
	_, _, stale, err := client.GroupsAndMaybeResources()
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for version := range stale {
		names = append(names, version.String())
	}
	slices.Sort(names)
	return names
}

// gone namespaces, and after how long.
func (c *cluster) gone(t *testing.T, namespaces ...string) time.Duration {
	t.Helper()
	return c.eventually(t, fmt.Sprint(namespaces, " are gone"), func() string {
		return c.run(t, "kubectl get namespaces -o name --ignore-not-found "+strings.Join(namespaces, " "))
	})
}
