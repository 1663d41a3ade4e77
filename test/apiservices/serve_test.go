//go:build e2e

package apiservices

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/util/wait"

	"github.com/claimbridge/claimbridge/config"
	"github.com/claimbridge/claimbridge/test/controlplane/plane"
)

// The program runs as the manifests run it, by their arguments and with the rights of their account alone, beside a kube-apiserver with default
// flags. It signs its own certificate.
func (c *cluster) testServer(t *testing.T) {
	stop := c.install(t, "")
	t.Run("preflight finds nothing but that no pods run", func(t *testing.T) {
		if checks, output := c.found(t, ""); !slices.Equal(checks, []string{"problem deployment-is-available"}) {
			t.Errorf("found %q\n%s", checks, output)
		}
		if checks, output := c.found(t, "--skip=deployment-is-available"); len(checks) > 0 {
			t.Errorf("found %q\n%s", checks, output)
		}
	})
	t.Run("it acts as its callers, and for nobody who may not", func(t *testing.T) {
		c.run(t, "kubectl create clusterrole claims --verb=get,list,create --resource=resourceclaims.resource.k8s.io && kubectl create clusterrolebinding claims --clusterrole=claims --group=devs")
		const claim = `kubectl create --as=alice --as-group=devs -f - <<.
apiVersion: resource.k8s.io/v1beta1
kind: ResourceClaim
metadata: {name: a, namespace: default}
spec: {devices: {requests: [{name: gpu, deviceClassName: gpu.example.com}]}}
.`
		c.awaitRight(t, "alice --as-group=devs", "create resourceclaims.resource.k8s.io", "yes")
		c.run(t, claim)
		if got := c.run(t, "kubectl get --as=alice --as-group=devs resourceclaims.v1beta2.resource.k8s.io a -o jsonpath={.apiVersion},{.spec.devices.requests[0].exactly.deviceClassName} 2>/dev/null"); got != "resource.k8s.io/v1beta2,gpu.example.com" {
			t.Errorf("got %s", got)
		}
		if output, code := c.shell(t, "kubectl delete --as=alice --as-group=devs resourceclaims.v1beta1.resource.k8s.io a"); code == 0 || !strings.Contains(output, `User "alice" cannot delete`) {
			t.Errorf("exit code %d\n%s", code, output)
		}
	})
	t.Run("a driver on a node", c.testDriver)
	t.Run("metrics", c.testMetrics)
	t.Run("without its role it may act as nobody, and preflight says so", func(t *testing.T) {
		c.run(t, "kubectl delete clusterrolebinding claimbridge-apiserver")
		defer c.run(t, "kubectl create clusterrolebinding claimbridge-apiserver --clusterrole=claimbridge-apiserver --serviceaccount=claimbridge-system:claimbridge-apiserver")
		c.awaitRight(t, serverAccount, "impersonate-on:user-info:get resourceclaims.resource.k8s.io", "no")
		if output, code := c.shell(t, "kubectl get --as=alice --as-group=devs resourceclaims.v1beta1.resource.k8s.io"); code == 0 || !strings.Contains(output, "claimbridge-apiserver") || !strings.Contains(output, "impersonate") {
			t.Errorf("exit code %d\n%s", code, output)
		}
		if checks, output := c.found(t, "--skip=deployment-is-available"); !slices.Equal(checks, []string{"problem account-has-its-rights"}) {
			t.Errorf("found %q\n%s", checks, output)
		}
		if checks, output := c.found(t, "--skip=deployment-is-available,account-has-its-rights"); !slices.Equal(checks, []string{"problem old-versions-can-be-read"}) || !strings.Contains(output, "the server may not act as you") {
			t.Errorf("found %q\n%s", checks, output)
		}
	})
	t.Run("away it is answered with 503, and preflight says what waits", func(t *testing.T) {
		stop()
		if output := c.run(t, "kubectl get --raw /apis/resource.k8s.io/v1beta1/resourceclaims 2>&1 || true"); !strings.Contains(output, "unable to handle the request") {
			t.Errorf("it says %s", output)
		}
		c.await(t, "kubectl wait --for=condition=Available=false --timeout=5s apiservices -l app.kubernetes.io/name=claimbridge-apiserver")
		checks, output := c.found(t, "--skip=deployment-is-available")
		if !slices.Equal(checks, []string{"problem api-services-are-available"}) || !strings.Contains(output, "so no namespace finishes deleting") {
			t.Errorf("found %q\n%s", checks, output)
		}
	})
}

// install the manifests and the server, and wait until API servers reach it.
func (c *cluster) install(t *testing.T, flags string) (stop func()) {
	t.Helper()
	c.run(t, "claimbridge manifests --aggregated --certificates=self "+flags+" | kubectl apply --server-side -f -")
	c.port = plane.Port(t)
	// In place of a network of Services: the name leads here, and to this port.
	c.run(t, `kubectl -n claimbridge-system delete service claimbridge-apiserver && kubectl -n claimbridge-system create service externalname claimbridge-apiserver --external-name=localhost`)
	for _, version := range config.AggregatedByDefault {
		c.run(t, fmt.Sprintf(`kubectl patch apiservice %s.resource.k8s.io --type=merge -p '{"spec":{"service":{"port":%d}}}'`, version, c.port))
	}
	stop = c.serve(t)
	c.await(t, "kubectl wait --for=condition=Available --timeout=5s apiservices -l app.kubernetes.io/name=claimbridge-apiserver")
	for _, version := range config.AggregatedByDefault { // which the API server asks for its resources some time after it is available
		c.await(t, "kubectl api-versions | grep -x resource.k8s.io/"+version)
	}
	return stop
}

// serve by the arguments of the manifests, as their account, until it is stopped.
func (c *cluster) serve(t *testing.T) (stop func()) {
	t.Helper()
	manifests, err := config.AggregatedManifests(config.AggregatedOptions{Certificates: config.Self, Only: config.ServerPart})
	if err != nil {
		t.Fatal(err)
	}
	_, args, _ := strings.Cut(string(manifests), "\n      - args:\n")
	args, _, _ = strings.Cut(args, "        env:\n")
	folder := t.TempDir()
	token := strings.TrimSpace(c.run(t, "kubectl create token -n claimbridge-system claimbridge-apiserver"))
	kubeconfig := filepath.Join(folder, "config")
	c.run(t, fmt.Sprintf("cp $KUBECONFIG %[1]s && KUBECONFIG=%[1]s kubectl config set-credentials user --token=%[2]s", kubeconfig, token))
	command := []string{"--kubeconfig=" + kubeconfig}
	for line := range strings.Lines(args) {
		arg := strings.TrimPrefix(strings.TrimSpace(line), "- ")
		arg = strings.ReplaceAll(arg, "$(POD_NAMESPACE)", "claimbridge-system")
		if strings.HasPrefix(arg, "--secure-port=") {
			arg = fmt.Sprintf("--secure-port=%d", c.port)
		}
		if strings.HasPrefix(arg, "--shutdown-") {
			continue // a test need not wait
		}
		command = append(command, arg)
	}
	programs, err := built()
	if err != nil {
		t.Fatal(err)
	}
	server := exec.Command(filepath.Join(programs, "claimbridge-apiserver"), command...)
	server.Dir = folder
	log, err := os.Create(filepath.Join(folder, "log"))
	if err != nil {
		t.Fatal(err)
	}
	server.Stdout, server.Stderr = log, log
	if err := server.Start(); err != nil {
		t.Fatal(err)
	}
	stopped := false
	stop = func() {
		if stopped {
			return
		}
		stopped = true
		if err := server.Process.Signal(syscall.SIGTERM); err != nil {
			t.Error(err)
		}
		err := server.Wait()
		if failed := new(exec.ExitError); errors.As(err, &failed) || t.Failed() {
			text, _ := os.ReadFile(log.Name())
			t.Logf("the server ended with %v\n%s", err, text)
		}
	}
	t.Cleanup(stop)
	return stop
}

// await that a line succeeds.
// serverAccount of the manifests.
const serverAccount = "system:serviceaccount:claimbridge-system:claimbridge-apiserver"

// awaitRight of a user, yes or no, which API servers hear of some moments after a binding has changed.
func (c *cluster) awaitRight(t *testing.T, user, question, want string) {
	t.Helper()
	c.await(t, fmt.Sprintf("{ kubectl auth can-i %s --as=%s || true; } | tee /dev/stderr | grep -qx %s", question, user, want))
}

func (c *cluster) await(t *testing.T, line string) {
	t.Helper()
	var last string
	err := wait.PollUntilContextTimeout(t.Context(), 200*time.Millisecond, 2*time.Minute, true, func(context.Context) (bool, error) {
		output, code := c.shell(t, line)
		last = output
		return code == 0, nil
	})
	if err != nil {
		t.Fatalf("%s: %v\n%s", line, err, last)
	}
}
