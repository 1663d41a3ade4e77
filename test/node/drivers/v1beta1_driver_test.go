//go:build node

package drivers

import (
	_ "embed"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/claimbridge/claimbridge/test/controlplane/plane"
)

// TestV1Beta1DriverWorksOnV1Cluster runs a driver for Kubernetes 1.32 on 1.36 with default flags. It does not work
// without a sidecar. With a sidecar, it works as on 1.32, also after the sidecar is killed.
func TestV1Beta1DriverWorksOnV1Cluster(t *testing.T) {
	t.Parallel()
	c := startCluster(t, "v1", V1Beta1Version)
	runSteps(t,
		step{"without a sidecar, the driver publishes no devices", c.testWithoutSidecar},
		step{"with a sidecar, the driver publishes its devices, and pods get them", c.testWithSidecar},
		step{"pods keep their devices when the sidecar is killed", c.testSidecarRestart},
		step{"the Pod of docs/bridge.md reads claims in a version that the cluster does not serve", c.testPodOfPage},
	)
}

// policy for the driver, as in its chart: the driver may write only ResourceSlices of the node that is named in the
// token of its pod.
//
//go:embed testdata/policy.yaml
var policy string

// deployment of pods that request one device each, by the ResourceClaimTemplate of the example.
//
//go:embed testdata/deployment.yaml
var deployment string

const numberOfDevices = 8 // in ResourceSlices of the example driver

func (c *cluster) testWithoutSidecar(t *testing.T) {
	c.run(t, "kubectl apply -f docs/examples/devices/driver.yaml")
	c.run(t, "kubectl rollout status daemonset/dra-example-driver -n dra-example-driver --timeout=2m")
	notFound := regexp.MustCompile(`(?m)^.*failed to list \*v1beta1\.ResourceSlice: the server could not find the ` +
		`requested resource.*$`)
	var line string
	c.eventually(t, "error of the driver about its version", func() string {
		log := c.run(t, "kubectl logs -n dra-example-driver daemonset/dra-example-driver")
		if line = notFound.FindString(log); line == "" {
			return "the log has no such error: " + log
		}
		return ""
	})
	t.Logf("log of the driver: %s", line)
	if devices := c.publishedDevices(t); len(devices) > 0 {
		t.Errorf("got published devices %v, want none", devices)
	}
	output, code := c.shell(t, "kubectl apply -f docs/examples/devices/pod.yaml")
	if code == 0 || strings.Count(output, `in version "resource.k8s.io/v1beta1"`) != 2 {
		t.Errorf("apply of v1beta1 manifests: got exit code %d, want two errors about the version\n%s", code, output)
	}
	// The pod of the same file is in a version that is served, and waits for its ResourceClaimTemplate.
	c.run(t, "kubectl delete pod training --ignore-not-found")
}

// addSidecar adds the sidecar to the driver, as docs/bridge.md does.
func (c *cluster) addSidecar(t *testing.T) {
	t.Helper()
	c.run(t,
		"kubectl patch daemonset dra-example-driver -n dra-example-driver --patch-file "+
			"docs/examples/devices/sidecar.yaml")
}

func (c *cluster) testWithSidecar(t *testing.T) {
	c.run(t, "kubectl apply -f - <<'.'\n"+policy+".")
	c.addSidecar(t)
	c.run(t, "kubectl rollout status daemonset/dra-example-driver -n dra-example-driver --timeout=2m")
	elapsed := c.eventually(t, "devices in ResourceSlices", func() string {
		if devices := c.publishedDevices(t); len(devices) != numberOfDevices {
			return fmt.Sprint(devices)
		}
		return ""
	})
	t.Logf("%d devices published %s after the sidecar was ready", numberOfDevices, elapsed)
	output, code := c.shell(t,
		"kubectl delete resourceslices --all --as=system:serviceaccount:dra-example-driver:dra-example-driver")
	if code == 0 || !strings.Contains(output, "slices-of-its-node") {
		t.Errorf("delete by a user without a node: got exit code %d, want an error of the policy\n%s", code, output)
	}

	c.run(t,
		"claimbridge convert --to 1.36 -f docs/examples/devices/pod.yaml | kubectl apply -f - && kubectl wait "+
			"--for=condition=Ready pod/training --timeout=2m")
	c.testExec(t, plane.Port(t))
	c.testPortForward(t, plane.Port(t), plane.Port(t))
	c.run(t,
		"kubectl create -f - <<.\n"+fmt.Sprintf(deployment,
			numberOfDevices)+".\nkubectl wait --for=jsonpath='{.status.readyReplicas}'=7 deployment/all --timeout=2m")
	c.eventually(t, "one unschedulable pod, because there are fewer devices than pods", func() string {
		message := c.run(t,
			`kubectl get pods -l app=all -o `+
				`jsonpath='{.items[*].status.conditions[?(@.reason=="Unschedulable")].message}'`)
		if strings.Count(message, "cannot allocate all claims") != 1 {
			return message
		}
		return ""
	})
	c.run(t, "kubectl delete pod training && kubectl rollout status deployment/all --timeout=2m")
	pods := c.waitForDevices(t, "default", numberOfDevices)
	t.Logf("%d pods have %[1]d devices. One waited until another pod was deleted and its claim released: %v", len(pods),
		pods)
}

// testExec runs kubectl exec through claimbridge proxy, over WebSocket and over SPDY.
func (c *cluster) testExec(t *testing.T, port int) {
	t.Helper()
	output := c.run(t, fmt.Sprintf(`claimbridge proxy --port=%[1]d >/dev/null & trap "kill $!" EXIT
until kubectl --server=http://127.0.0.1:%[1]d get --raw /readyz >/dev/null 2>&1; do sleep 0.1; done
for websockets in true false; do
KUBECTL_REMOTE_COMMAND_WEBSOCKETS=$websockets kubectl --server=http://127.0.0.1:%[1]d exec training -- /devices once
done`, port))
	if strings.Count(output, "GPU_DEVICE_") == 0 || strings.Count(output, "GPU_DEVICE_")%2 != 0 {
		t.Errorf("kubectl exec by WebSocket and SPDY: want the same devices twice, got\n%s", output)
	}
}

// testPortForward forwards a port of the driver's pod through claimbridge proxy. The sidecar that listens there serves
// only clients of its pod, and rejects the request because it has no credentials.
func (c *cluster) testPortForward(t *testing.T, port, forwarded int) {
	t.Helper()
	output := c.run(t, fmt.Sprintf(`claimbridge proxy --port=%[1]d >/dev/null & proxy=$!
until kubectl --server=http://127.0.0.1:%[1]d get --raw /readyz >/dev/null 2>&1; do sleep 0.1; done
kubectl --server=http://127.0.0.1:%[1]d port-forward -n dra-example-driver daemonset/dra-example-driver %[2]d:8001 \
	>/dev/null 2>&1 & trap "kill $proxy $!" EXIT
until curl -sk https://127.0.0.1:%[2]d/version; do sleep 0.1; done`, port, forwarded))
	if !strings.Contains(output, "missing credentials") {
		t.Errorf("response through the forwarded port: want missing credentials, got\n%s", output)
	}
}

// testSidecarRestart checks that clients that don't use the sidecar see no difference while it is down and afterwards,
// and that the driver recovers.
func (c *cluster) testSidecarRestart(t *testing.T) {
	before := c.waitForDevices(t, "default", numberOfDevices)
	restarts := "kubectl get pods -n dra-example-driver -o " +
		"jsonpath='{.items[0].status.initContainerStatuses[0].restartCount} " +
		"{.items[0].status.containerStatuses[0].restartCount}'"
	output, err := c.Command(t.Context(), "sh", "-c",
		"kill -9 $(grep -ls '^claimbridge-pro' /proc/[0-9]*/comm | cut -d/ -f3)").CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, output)
	}
	c.run(t, "kubectl create namespace another && kubectl delete namespace another --timeout=1m")
	c.eventually(t, "one restart of the sidecar, and none of the driver", func() string {
		if got := c.run(t, restarts); got != "1 0" {
			return got
		}
		return ""
	})
	slice := strings.TrimSpace(c.run(t, "kubectl get resourceslices -o name"))
	c.run(t, "kubectl patch "+slice+` --type=json -p '[{"op":"replace","path":"/spec/devices","value":[]}]'`)
	c.eventually(t, "devices in ResourceSlices after the restart", func() string {
		if devices := c.publishedDevices(t); len(devices) != numberOfDevices {
			return fmt.Sprint(devices)
		}
		return ""
	})
	c.checkUnchanged(t, before)
	c.testScaling(t)
}

// checkUnchanged checks that pods have the same devices as before, and that their containers never restarted.
func (c *cluster) checkUnchanged(t *testing.T, before map[string]podDevices) {
	t.Helper()
	if diff := cmp.Diff(before, c.waitForDevices(t, "default", len(before))); diff != "" {
		t.Errorf("devices of pods (-before +now):\n%s", diff)
	}
	states := c.run(t,
		`kubectl get pods -o jsonpath='{range .items[*]}{.status.phase} `+
			`{.status.containerStatuses[0].restartCount}{"\n"}{end}'`)
	if strings.Count(states, "Running 0\n") != len(before) {
		t.Errorf("phases and restarts of pods: want %d times Running 0, got\n%s", len(before), states)
	}
}

// testScaling checks that devices are released when the Deployment is scaled down, on the node too, and are allocated
// to other pods when it is scaled up.
func (c *cluster) testScaling(t *testing.T) {
	t.Helper()
	const replicas = 3
	c.run(t, fmt.Sprintf("kubectl scale deployment all --replicas=%d", replicas))
	c.waitForDevices(t, "default", replicas)
	c.eventually(t, "deletion of the claims of deleted pods", func() string {
		if claims := c.run(t, "kubectl get resourceclaims -o name"); strings.Count(claims, "\n") != replicas {
			return claims
		}
		return ""
	})
	c.eventually(t, "unprepared claims on the node", func() string {
		if files := c.preparedClaims(t); files != replicas {
			return fmt.Sprintf("%d claims are prepared", files)
		}
		return ""
	})
	c.run(t,
		fmt.Sprintf("kubectl scale deployment all --replicas=%d && kubectl rollout status deployment/all --timeout=2m",
			numberOfDevices))
	pods := c.waitForDevices(t, "default", numberOfDevices)
	t.Logf("%d devices were released, and %d pods have %[2]d devices again", numberOfDevices-replicas, len(pods))
}

// preparedClaims returns the number of prepared claims on the node. The driver writes one CDI file for each, and a
// common one.
func (c *cluster) preparedClaims(t *testing.T) int {
	t.Helper()
	files, err := c.Command(t.Context(), "sh", "-c", "ls /var/run/cdi").CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, files)
	}
	return strings.Count(string(files), "\n") - strings.Count(string(files), "common")
}
