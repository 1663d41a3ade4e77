//go:build node && aggregated

package drivers

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"k8s.io/client-go/rest"
)

const rollouts = 5

// The two pods are replaced again and again, and so is the CA that they share, while callers call and informers watch: nothing fails as long as one pod is ready.
// Twice both are deleted at once: calls are refused until one is ready, and no write is lost that was acknowledged.
func TestRollingOver(t *testing.T) {
	t.Parallel()
	c := start(t)
	c.install(t, "")
	config := c.anybody(t)
	seen := c.watch(t, config, 5)
	made, stop := c.call(t, config)
	defer func() {
		stop()
		if failed := made.report(t); failed > 0 {
			t.Errorf("%d calls failed that may not", failed)
		}
	}()
	undisturbed := func() { time.Sleep(5 * time.Second) } // calls with which nothing happens

	const rollout = "kubectl rollout status deployment/claimbridge-apiserver -n claimbridge-system --timeout=3m"
	undisturbed()
	trusted := c.replaceAuthority(t)
	for i := range rollouts {
		made.enter(fmt.Sprintf(going+"rolling restart %d, with a new CA on its way", i+1))
		c.run(t, "kubectl rollout restart deployment/claimbridge-apiserver -n claimbridge-system && "+rollout)
	}
	made.enter(going + "one pod is deleted, then the other")
	for _, pod := range c.servers(t, ".metadata.name") {
		c.run(t, "kubectl delete pod -n claimbridge-system "+pod+" && "+rollout)
	}
	made.enter(going + "one pod is evicted, then the other")
	for _, pod := range c.servers(t, ".metadata.name") {
		c.await(t, evict(pod)) // refused until the budget has heard of the last one's successor
		c.run(t, "kubectl wait --for=delete -n claimbridge-system pod/"+pod+" --timeout=2m && "+rollout)
	}
	for _, at := range []struct{ how, flags string }{{"deleted", "--wait=false"}, {"deleted by force", "--force --grace-period=0"}} {
		made.enter(outage + "both pods are " + at.how + " at once")
		gone := "pod/" + strings.Join(c.servers(t, ".metadata.name"), " pod/")
		c.run(t, "kubectl delete -n claimbridge-system "+at.flags+" "+gone)
		t.Logf("both pods were %s, and two others ready after %s", at.how, c.eventually(t, "two other pods are ready", func() string {
			ready := c.servers(t, `range .status.conditions}}{{if and (eq .type "Ready") (eq .status "True")}}ready{{end}}{{end`)
			if len(ready) != 2 {
				return c.run(t, "kubectl get pods -n claimbridge-system")
			}
			return ""
		}))
		c.run(t, rollout+" && kubectl wait --for=delete --timeout=2m -n claimbridge-system "+gone)
		c.run(t, "kubectl wait --for=condition=Available --timeout=2m apiservices -l app.kubernetes.io/name=claimbridge-apiserver")
		for _, version := range []string{"v1beta1", "v1beta2"} {
			c.await(t, "kubectl get --raw /apis/resource.k8s.io/"+version+"/resourceclaims?limit=1")
		}
		if strings.Contains(at.flags, "--force") {
			time.Sleep(15 * time.Second) // their processes drain on, and end their connections some seconds after the pods are gone
		}
		made.enter("they were " + at.how)
		undisturbed()
	}
	made.enter("the new CA signs")
	t.Logf("every pod serves a certificate by the new CA after %s more", c.served(t, trusted))
	undisturbed()
	stop()
	made.audit(t, c)
	seen.see(t, c)
}

// servers are the pods, those left out that are ending: a field of each.
func (c *cluster) servers(t *testing.T, field string) []string {
	t.Helper()
	return strings.Fields(c.run(t, "kubectl get pods -n claimbridge-system -l app.kubernetes.io/name=claimbridge-apiserver "+
		"-o go-template='{{range .items}}{{if not .metadata.deletionTimestamp}}{{"+field+"}} {{end}}{{end}}'"))
}

// evict as kubectl drain does, which the disruption budget may refuse.
func evict(pod string) string {
	return fmt.Sprintf(`echo '{"apiVersion":"policy/v1","kind":"Eviction","metadata":{"name":"%[1]s","namespace":"claimbridge-system"}}' | `+
		`kubectl create --raw /api/v1/namespaces/claimbridge-system/pods/%[1]s/eviction -f -`, pod)
}

// anybody is a service account that may do all with claims, as a controller may.
func (c *cluster) anybody(t *testing.T) *rest.Config {
	t.Helper()
	c.run(t, "kubectl create serviceaccount anybody && kubectl create clusterrole claims --verb='*' --resource=resourceclaims.resource.k8s.io && "+
		"kubectl create clusterrolebinding claims --clusterrole=claims --serviceaccount=default:anybody")
	config := rest.AnonymousClientConfig(c.Config())
	config.BearerToken = strings.TrimSpace(c.run(t, "kubectl create token anybody --duration=1h"))
	config.QPS = -1
	return config
}
