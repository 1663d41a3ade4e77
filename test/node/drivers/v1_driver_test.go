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

// TestV1DriverWorksOnV1Beta1Cluster runs a v1 driver with a sidecar on a cluster that serves only v1beta1. The
// controller manager, the scheduler and the kubelet of 1.36, which use only v1, connect through claimbridge proxy. Pods
// get their devices.
func TestV1DriverWorksOnV1Beta1Cluster(t *testing.T) {
	t.Parallel()
	c := startCluster(t, "v1beta1", v1Version)
	served := c.run(t, "kubectl get --raw /apis/resource.k8s.io")
	if strings.Count(served, `"groupVersion"`) != 2 || strings.Count(served, "resource.k8s.io/v1beta1") != 2 {
		t.Fatalf("the cluster serves %s", served)
	}
	c.run(t, "kubectl apply -f - <<'.'\n"+policy+".")
	c.run(t, "sed s/"+V1Beta1Version+"/"+v1Version+"/ docs/examples/devices/driver.yaml | kubectl apply -f -")
	c.addSidecar(t)
	c.run(t, "kubectl rollout status daemonset/dra-example-driver -n dra-example-driver --timeout=2m")
	c.eventually(t, "devices in ResourceSlices", func() string {
		if devices := c.publishedDevices(t); len(devices) != numberOfDevices {
			return fmt.Sprint(devices)
		}
		return ""
	})
	c.run(t,
		"kubectl apply -f docs/examples/devices/pod.yaml && kubectl wait --for=condition=Ready pod/training "+
			"--timeout=2m")
	c.run(t,
		"kubectl create -f - <<.\n"+fmt.Sprintf(deployment,
			numberOfDevices-1)+".\nkubectl rollout status deployment/all --timeout=2m")
	pods := c.waitForDevices(t, "default", numberOfDevices)
	c.run(t, "kubectl delete pod training && kubectl delete deployment all")
	c.eventually(t, "deletion of the claims of deleted pods", func() string {
		return c.run(t, "kubectl get resourceclaims -o name 2>/dev/null")
	})
	t.Logf("%d pods have %[1]d devices: %v", len(pods), pods)
}

// TestDriversBuild builds the drivers if they are not in the cache yet, and checks which release of client-go they use.
func TestDriversBuild(t *testing.T) {
	for version, client := range map[string]string{V1Beta1Version: "v0.32.0", v1Version: "v0.36.2"} {
		folder := must.Get(driverProgram(version).Folder(t.Context()))(t)
		modules, err := exec.CommandContext(t.Context(), "go", "version", "-m",
			filepath.Join(folder, "driver")).CombinedOutput()
		if err != nil || !strings.Contains(string(modules), "\tdep\tk8s.io/client-go\t"+client) {
			t.Errorf("driver %s: %v, want client-go %s in its modules:\n%s", version, err, client, modules)
		}
	}
}
