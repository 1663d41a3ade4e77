//go:build e2e

package apiservices

import (
	"slices"
	"strings"
	"testing"

	"github.com/claimbridge/claimbridge/test/controlplane/plane"
)

// Without v1 there is nothing to serve them over. Where it is of definitions, nobody is told to delete these: they hold the claims.
func TestAClusterWithoutTheNewestIsRefused(t *testing.T) {
	t.Parallel()
	c := start(t, "resource.k8s.io/v1=false")
	output, code := c.shell(t, "claimbridge manifests --aggregated")
	if code != 1 || !strings.Contains(output, "API group resource.k8s.io: the API server does not serve v1 itself") {
		t.Errorf("exit code %d\n%s", code, output)
	}
	c.run(t, "claimbridge manifests --group=resource.k8s.io --only=crds | kubectl apply --server-side -f -")
	c.await(t, "kubectl get apiservices v1.resource.k8s.io v1beta1.resource.k8s.io")
	output, code = c.shell(t, "claimbridge manifests --aggregated")
	if code != 1 || !strings.Contains(output, "APIService v1.resource.k8s.io: v1 here is of definitions") || !strings.Contains(output, "keep the definitions") {
		t.Errorf("exit code %d\n%s", code, output)
	}
	checks, found := c.found(t, "")
	if !slices.Equal(checks, []string{"problem cluster-serves-the-newest-version"}) {
		t.Errorf("preflight found %q\n%s", checks, found)
	}
	for _, text := range []string{"then delete it", "serves v1beta1 itself"} {
		if strings.Contains(output+found, text) {
			t.Errorf("it says %q, which is wrong where all claims are in definitions:\n%s%s", text, output, found)
		}
	}
}

// What no version number shows: an API server without the aggregation layer, and one with a feature turned off.
func TestAClusterWithoutAggregationIsRefused(t *testing.T) {
	t.Parallel()
	c := startWith(t, plane.Options{Flags: map[string]string{
		"feature-gates":                "ConstrainedImpersonation=false",
		"requestheader-client-ca-file": "", "requestheader-allowed-names": "", "requestheader-username-headers": "", "requestheader-uid-headers": "",
		"requestheader-group-headers": "", "requestheader-extra-headers-prefix": "", "proxy-client-cert-file": "", "proxy-client-key-file": "",
	}})
	const (
		aggregation   = "ConfigMap kube-system/extension-apiserver-authentication: has no requestheader-client-ca-file"
		impersonation = "acts as its callers by constrained impersonation, which is off in this API server"
	)
	output, code := c.shell(t, "claimbridge manifests --aggregated")
	if code != 1 || !strings.Contains(output, aggregation) || !strings.Contains(output, impersonation) || strings.Contains(output, "kind:") {
		t.Errorf("exit code %d\n%s", code, output)
	}
	if output, code := c.shell(t, "claimbridge manifests --aggregated --act-as=nobody"); code != 1 || strings.Contains(output, impersonation) {
		t.Errorf("with rights of its own: exit code %d\n%s", code, output)
	}
	if checks, output := c.found(t, ""); !slices.Equal(checks, []string{"problem cluster-can-aggregate", "problem impersonation-is-constrained"}) {
		t.Errorf("preflight found %q\n%s", checks, output)
	}
	// Whoever may not look is not told that all is well, nor the opposite.
	const reader = "kubectl create clusterrole reader --verb=get,list --resource=apiservices,customresourcedefinitions && kubectl create clusterrolebinding reader --clusterrole=reader --user=reader"
	c.run(t, reader)
	output, code = c.shell(t, "claimbridge manifests --aggregated --as=reader")
	if code != 1 || !strings.Contains(output, "could not look") || strings.Contains(output, aggregation) || strings.Contains(output, impersonation) {
		t.Errorf("for a reader: exit code %d\n%s", code, output)
	}
}
