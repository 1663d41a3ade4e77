//go:build node

package drivers

import (
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/claimbridge/claimbridge/test/testkit/must"
)

// A driver of v1 with a sidecar on a cluster that serves only v1beta1. The controller manager, the scheduler and the
// kubelet of 1.36, which know only v1, use claimbridge proxy. Pods get their devices.
func TestDriverOfALaterVersion(t *testing.T) {
	t.Parallel()
	c := start(t, "v1beta1", newer)
	served := c.run(t, "kubectl get --raw /apis/resource.k8s.io")
	if strings.Count(served, `"groupVersion"`) != 2 || strings.Count(served, "resource.k8s.io/v1beta1") != 2 {
		t.Fatalf("the cluster serves %s", served)
	}
	c.run(t, "kubectl apply -f - <<'.'\n"+policy+".")
	c.run(t, "sed s/"+Older+"/"+newer+"/ docs/examples/devices/driver.yaml | kubectl apply -f -")
	c.addSidecar(t)
	c.run(t, "kubectl rollout status daemonset/dra-example-driver -n dra-example-driver --timeout=2m")
	c.eventually(t, "the driver publishes", func() string {
		if devices := c.published(t); len(devices) != numberOfDevices {
			return fmt.Sprint(devices)
		}
		return ""
	})
	c.run(t,
		"kubectl apply -f docs/examples/devices/pod.yaml && kubectl wait --for=condition=Ready pod/training "+
			"--timeout=2m")
	c.run(t,
		"kubectl create -f - <<.\n"+fmt.Sprintf(all,
			numberOfDevices-1)+".\nkubectl rollout status deployment/all --timeout=2m")
	pods := c.agree(t, "default", numberOfDevices)
	c.run(t, "kubectl delete pod training && kubectl delete deployment all")
	c.eventually(t, "claims of pods that are gone are gone", func() string {
		return c.run(t, "kubectl get resourceclaims -o name 2>/dev/null")
	})
	t.Logf("%d pods have %[1]d devices: %v", len(pods), pods)
}

// TestDriversBuild builds them if they are not in the cache yet, and looks at which release of Kubernetes they are of.
func TestDriversBuild(t *testing.T) {
	for version, client := range map[string]string{Older: "v0.32.0", newer: "v0.36.2"} {
		folder := must.Get(driver(version).Folder(t.Context()))(t)
		modules, err := exec.CommandContext(t.Context(), "go", "version", "-m",
			filepath.Join(folder, "driver")).CombinedOutput()
		if err != nil || !strings.Contains(string(modules), "\tdep\tk8s.io/client-go\t"+client) {
			t.Errorf("%s: %v\n%s", version, err, modules)
		}
	}
}
