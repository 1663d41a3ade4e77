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

// A driver for Kubernetes 1.32 on 1.36 with default flags: it does not work alone, and works with a sidecar as on 1.32,
// also after the sidecar was killed.
func TestDriverOfAnEarlierRelease(t *testing.T) {
	t.Parallel()
	c := start(t, "v1", Older)
	inOrder(t,
		part{"alone it publishes nothing", c.testAlone},
		part{"with a sidecar it publishes its devices, and pods get them", c.testDevices},
		part{"the sidecar is killed, and all goes on", c.testKilled},
		part{"the Pod of docs/bridge.md reads claims in a version that the cluster does not serve", c.testPodOfPage},
	)
}

// policy for the driver, as its own chart has one: it writes slices of the node that its pod is on,
// which the token of the pod tells.
//
//go:embed testdata/policy.yaml
var policy string

// all pods that ask for one device each, by the template of the example.
//
//go:embed testdata/all.yaml
var all string

const numberOfDevices = 8 // of the example

func (c *cluster) testAlone(t *testing.T) {
	c.run(t, "kubectl apply -f docs/examples/devices/driver.yaml")
	c.run(t, "kubectl rollout status daemonset/dra-example-driver -n dra-example-driver --timeout=2m")
	refused := regexp.MustCompile(`(?m)^.*failed to list \*v1beta1\.ResourceSlice: the server could not find the ` +
		`requested resource.*$`)
	var said string
	c.eventually(t, "the driver misses its version", func() string {
		log := c.run(t, "kubectl logs -n dra-example-driver daemonset/dra-example-driver")
		if said = refused.FindString(log); said == "" {
			return "it says " + log
		}
		return ""
	})
	t.Logf("its log: %s", said)
	if devices := c.published(t); len(devices) > 0 {
		t.Errorf("it has published %v", devices)
	}
	output, code := c.shell(t, "kubectl apply -f docs/examples/devices/pod.yaml")
	if code == 0 || strings.Count(output, `in version "resource.k8s.io/v1beta1"`) != 2 {
		t.Errorf("what asks for devices in v1beta1: exit code %d\n%s", code, output)
	}
	// of the same file, in a version that there is; it waits for its template
	c.run(t, "kubectl delete pod training --ignore-not-found")
}

// addSidecar adds the sidecar to the driver, as docs/bridge.md does.
func (c *cluster) addSidecar(t *testing.T) {
	t.Helper()
	c.run(t,
		"kubectl patch daemonset dra-example-driver -n dra-example-driver --patch-file "+
			"docs/examples/devices/sidecar.yaml")
}

func (c *cluster) testDevices(t *testing.T) {
	c.run(t, "kubectl apply -f - <<'.'\n"+policy+".")
	c.addSidecar(t)
	c.run(t, "kubectl rollout status daemonset/dra-example-driver -n dra-example-driver --timeout=2m")
	after := c.eventually(t, "the driver publishes", func() string {
		if devices := c.published(t); len(devices) != numberOfDevices {
			return fmt.Sprint(devices)
		}
		return ""
	})
	t.Logf("%d devices published %s after the sidecar was ready", numberOfDevices, after)
	output, code := c.shell(t,
		"kubectl delete resourceslices --all --as=system:serviceaccount:dra-example-driver:dra-example-driver")
	if code == 0 || !strings.Contains(output, "slices-of-its-node") {
		t.Errorf("the policy lets through whose node it does not know: exit code %d\n%s", code, output)
	}

	c.run(t,
		"claimbridge convert --to 1.36 -f docs/examples/devices/pod.yaml | kubectl apply -f - && kubectl wait "+
			"--for=condition=Ready pod/training --timeout=2m")
	c.execs(t, plane.Port(t))
	c.forwards(t, plane.Port(t), plane.Port(t))
	c.run(t,
		"kubectl create -f - <<.\n"+fmt.Sprintf(all,
			numberOfDevices)+".\nkubectl wait --for=jsonpath='{.status.readyReplicas}'=7 deployment/all --timeout=2m")
	c.eventually(t, "one pod more than there are devices waits", func() string {
		said := c.run(t,
			`kubectl get pods -l app=all -o `+
				`jsonpath='{.items[*].status.conditions[?(@.reason=="Unschedulable")].message}'`)
		if strings.Count(said, "cannot allocate all claims") != 1 {
			return said
		}
		return ""
	})
	c.run(t, "kubectl delete pod training && kubectl rollout status deployment/all --timeout=2m")
	pods := c.agree(t, "default", numberOfDevices)
	t.Logf("%d pods have %[1]d devices, and one waited until a pod was deleted and its claim released: %v", len(pods),
		pods)
}

// execs in a pod through claimbridge proxy, by WebSocket and by SPDY.
func (c *cluster) execs(t *testing.T, port int) {
	t.Helper()
	said := c.run(t, fmt.Sprintf(`claimbridge proxy --port=%[1]d >/dev/null & trap "kill $!" EXIT
until kubectl --server=http://127.0.0.1:%[1]d get --raw /readyz >/dev/null 2>&1; do sleep 0.1; done
for websockets in true false; do
KUBECTL_REMOTE_COMMAND_WEBSOCKETS=$websockets kubectl --server=http://127.0.0.1:%[1]d exec training -- /devices once
done`, port))
	if strings.Count(said, "GPU_DEVICE_") == 0 || strings.Count(said, "GPU_DEVICE_")%2 != 0 {
		t.Errorf("two programs in the pod say\n%s", said)
	}
}

// forwards a port of the driver's pod through claimbridge proxy: that of its sidecar, which serves
// its own pod and has no credentials to lend.
func (c *cluster) forwards(t *testing.T, port, forwarded int) {
	t.Helper()
	said := c.run(t, fmt.Sprintf(`claimbridge proxy --port=%[1]d >/dev/null & proxy=$!
until kubectl --server=http://127.0.0.1:%[1]d get --raw /readyz >/dev/null 2>&1; do sleep 0.1; done
kubectl --server=http://127.0.0.1:%[1]d port-forward -n dra-example-driver daemonset/dra-example-driver %[2]d:8001 \
	>/dev/null 2>&1 & trap "kill $proxy $!" EXIT
until curl -sk https://127.0.0.1:%[2]d/version; do sleep 0.1; done`, port, forwarded))
	if !strings.Contains(said, "missing credentials") {
		t.Errorf("through the forwarded port there is\n%s", said)
	}
}

// testKilled checks that clients that don't use the sidecar see no difference while it is down and afterwards, and that
// the driver recovers.
func (c *cluster) testKilled(t *testing.T) {
	before := c.agree(t, "default", numberOfDevices)
	restarts := "kubectl get pods -n dra-example-driver -o " +
		"jsonpath='{.items[0].status.initContainerStatuses[0].restartCount} " +
		"{.items[0].status.containerStatuses[0].restartCount}'"
	killed, err := c.Command(t.Context(), "sh", "-c",
		"kill -9 $(grep -ls '^claimbridge-pro' /proc/[0-9]*/comm | cut -d/ -f3)").CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, killed)
	}
	c.run(t, "kubectl create namespace another && kubectl delete namespace another --timeout=1m")
	c.eventually(t, "the sidecar was started again, and not the driver", func() string {
		if got := c.run(t, restarts); got != "1 0" {
			return got
		}
		return ""
	})
	slice := strings.TrimSpace(c.run(t, "kubectl get resourceslices -o name"))
	c.run(t, "kubectl patch "+slice+` --type=json -p '[{"op":"replace","path":"/spec/devices","value":[]}]'`)
	c.eventually(t, "the driver publishes again", func() string {
		if devices := c.published(t); len(devices) != numberOfDevices {
			return fmt.Sprint(devices)
		}
		return ""
	})
	c.untouched(t, before)
	c.scaled(t)
}

// untouched are pods that run with the devices they had, and whose containers were never restarted.
func (c *cluster) untouched(t *testing.T, before map[string]given) {
	t.Helper()
	if diff := cmp.Diff(before, c.agree(t, "default", len(before))); diff != "" {
		t.Errorf("devices of pods (-before +now):\n%s", diff)
	}
	states := c.run(t,
		`kubectl get pods -o jsonpath='{range .items[*]}{.status.phase} `+
			`{.status.containerStatuses[0].restartCount}{"\n"}{end}'`)
	if strings.Count(states, "Running 0\n") != len(before) {
		t.Errorf("pods are\n%s", states)
	}
}

// scaled down devices are released, by the driver on the node too, and scaled up they are given to other pods.
func (c *cluster) scaled(t *testing.T) {
	t.Helper()
	const few = 3
	c.run(t, fmt.Sprintf("kubectl scale deployment all --replicas=%d", few))
	c.agree(t, "default", few)
	c.eventually(t, "claims of pods that are gone are gone", func() string {
		if claims := c.run(t, "kubectl get resourceclaims -o name"); strings.Count(claims, "\n") != few {
			return claims
		}
		return ""
	})
	c.eventually(t, "the driver has taken its devices back", func() string {
		if files := c.prepared(t); files != few {
			return fmt.Sprintf("%d claims are prepared", files)
		}
		return ""
	})
	c.run(t,
		fmt.Sprintf("kubectl scale deployment all --replicas=%d && kubectl rollout status deployment/all --timeout=2m",
			numberOfDevices))
	pods := c.agree(t, "default", numberOfDevices)
	t.Logf("%d devices were released, and %d pods have %[2]d devices again", numberOfDevices-few, len(pods))
}

// prepared claims on the node: the driver writes a file of devices for each, and one for what is the same in all.
func (c *cluster) prepared(t *testing.T) int {
	t.Helper()
	files, err := c.Command(t.Context(), "sh", "-c", "ls /var/run/cdi").CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, files)
	}
	return strings.Count(string(files), "\n") - strings.Count(string(files), "common")
}
