//go:build node && aggregated

package drivers

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// The life of a driver that was made for Kubernetes 1.32, on 1.36 with default flags: it is of no use by itself, and runs over claimbridge as
// it did on 1.32, until the day on which it is replaced, with its devices in use, and claimbridge is taken away.
func TestADriverOfAnEarlierRelease(t *testing.T) {
	t.Parallel()
	c := start(t)
	inOrder(t,
		part{"alone it publishes nothing", c.testAlone},
		part{"over claimbridge it publishes its devices, and pods get them", c.testDevices},
		part{"it is rolled to the driver of 1.34 while its devices are in use", c.testRolled},
		part{"claimbridge is taken away, and pods and driver go on", c.testTakenAway},
	)
}

// all pods that ask for one device each, by the template of the example.
const all = `apiVersion: apps/v1
kind: Deployment
metadata: {name: all, namespace: default}
spec:
  replicas: %d
  selector: {matchLabels: {app: all}}
  template:
    metadata: {labels: {app: all}}
    spec:
      containers:
      - name: devices
        image: kit.local/devices:v1
        resources: {claims: [{name: gpu}]}
      resourceClaims: [{name: gpu, resourceClaimTemplateName: single-gpu}]
`

const numberOfDevices = 8 // of the example

func (c *cluster) testAlone(t *testing.T) {
	c.run(t, "kubectl apply -f docs/examples/devices/driver.yaml")
	c.run(t, "kubectl rollout status daemonset/dra-example-driver -n dra-example-driver --timeout=2m")
	refused := regexp.MustCompile(`(?m)^.*failed to list \*v1beta1\.ResourceSlice: the server could not find the requested resource.*$`)
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
	if output, code := c.shell(t, "kubectl apply -f docs/examples/devices/pod.yaml"); code == 0 || strings.Count(output, `in version "resource.k8s.io/v1beta1"`) != 2 {
		t.Errorf("what asks for devices in v1beta1: exit code %d\n%s", code, output)
	}
	c.run(t, "kubectl delete pod training --ignore-not-found") // of the same file, in a version that there is; it waits for its template
}

func (c *cluster) testDevices(t *testing.T) {
	c.restrict(t, `["v1beta1"]`) // as the driver's own chart of that release does: nobody asks it here
	c.install(t, "")
	after := c.eventually(t, "the driver publishes", func() string {
		if devices := c.published(t); len(devices) != numberOfDevices {
			return fmt.Sprint(devices)
		}
		return ""
	})
	t.Logf("%d devices published %s after claimbridge was ready", numberOfDevices, after)

	c.run(t, "kubectl apply -f docs/examples/devices/pod.yaml && kubectl wait --for=condition=Ready pod/training --timeout=2m")
	c.run(t, "kubectl create -f - <<.\n"+fmt.Sprintf(all, numberOfDevices)+".\nkubectl wait --for=jsonpath='{.status.readyReplicas}'=7 deployment/all --timeout=2m")
	c.eventually(t, "one pod more than there are devices waits", func() string {
		said := c.run(t, `kubectl get pods -l app=all -o jsonpath='{.items[*].status.conditions[?(@.reason=="Unschedulable")].message}'`)
		if strings.Count(said, "cannot allocate all claims") != 1 {
			return said
		}
		return ""
	})
	c.run(t, "kubectl delete pod training && kubectl rollout status deployment/all --timeout=2m")
	pods := c.agree(t, "default", numberOfDevices)
	t.Logf("%d pods have %[1]d devices, and one waited until a pod was deleted and its claim released: %v", len(pods), pods)
	old := c.run(t, `kubectl get resourceclaims.v1beta1.resource.k8s.io -o jsonpath='{range .items[*]}{.spec.devices.requests[0].deviceClassName} {.status.allocation.devices.results[0].driver}{"\n"}{end}'`)
	if strings.Count(old, "gpu.example.com gpu.example.com\n") != numberOfDevices {
		t.Errorf("in v1beta1 claims are\n%s", old)
	}
}

func (c *cluster) testRolled(t *testing.T) {
	before := c.agree(t, "default", numberOfDevices)
	c.restrict(t, `["v1beta1", "v1beta2", "v1"]`) // as the chart of this one does
	c.run(t, "kubectl delete resourceslices --all")
	c.run(t, "kubectl set image -n dra-example-driver daemonset/dra-example-driver plugin=kit.local/dra-example-driver:v0.2.1")
	c.run(t, "kubectl rollout status daemonset/dra-example-driver -n dra-example-driver --timeout=2m")
	c.eventually(t, "the driver publishes", func() string {
		if devices := c.published(t); len(devices) != numberOfDevices {
			return fmt.Sprint(devices)
		}
		return ""
	})
	c.untouched(t, before)
	t.Logf("%d pods went on with their devices", len(before))
	c.scaled(t)
}

// restrict the driver to slices of its node by the policy of the page, for requests in these versions.
func (c *cluster) restrict(t *testing.T, versions string) {
	t.Helper()
	policy := strings.Join(commands(t, "aggregated.md", "Have such a policy hold for the names of the accounts, whatever they bring, and fail closed:"), "\n")
	for from, to := range map[string]string{"system:serviceaccount:gpu:driver": "system:serviceaccount:dra-example-driver:dra-example-driver", `["*"]`: versions} {
		if strings.Count(policy, from) != 1 {
			t.Fatalf("the policy of the page does not have %s once:\n%s", from, policy)
		}
		policy = strings.Replace(policy, from, to, 1)
	}
	c.run(t, "kubectl apply -f - <<'.'\n"+policy+`
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: {name: gpu-driver-slices-of-its-node}
spec: {policyName: gpu-driver-slices-of-its-node, validationActions: [Deny]}
.`)
}

func (c *cluster) testTakenAway(t *testing.T) {
	before := c.agree(t, "default", numberOfDevices)
	for _, command := range commands(t, "aggregated.md", "which has the namespace first and the APIServices last.") {
		c.run(t, command)
	}
	kinds := "apiservices,deployments,services,secrets,roles,rolebindings,clusterroles,clusterrolebindings,serviceaccounts,networkpolicies,poddisruptionbudgets,resourcequotas"
	if left := c.run(t, "kubectl get -A -o name -l app.kubernetes.io/name=claimbridge-apiserver "+kinds); left != "" && !strings.Contains(left, "No resources found") {
		t.Errorf("left are\n%s", left)
	}
	if output, code := c.shell(t, "kubectl get --raw /apis/resource.k8s.io/v1beta1/resourceclaims"); code == 0 || !strings.Contains(output, "NotFound") {
		t.Errorf("v1beta1: exit code %d\n%s", code, output)
	}
	c.untouched(t, before)
	t.Logf("%d pods went on with their devices", len(before))
	c.scaled(t)
	c.run(t, "kubectl create namespace another && kubectl delete namespace another --timeout=1m")
}

// untouched are pods that run with the devices they had, and whose containers were never restarted.
func (c *cluster) untouched(t *testing.T, before map[string]given) {
	t.Helper()
	if diff := cmp.Diff(before, c.agree(t, "default", len(before))); diff != "" {
		t.Errorf("devices of pods (-before +now):\n%s", diff)
	}
	states := c.run(t, `kubectl get pods -o jsonpath='{range .items[*]}{.status.phase} {.status.containerStatuses[0].restartCount}{"\n"}{end}'`)
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
	c.run(t, fmt.Sprintf("kubectl scale deployment all --replicas=%d && kubectl rollout status deployment/all --timeout=2m", numberOfDevices))
	pods := c.agree(t, "default", numberOfDevices)
	t.Logf("%d devices were released, and %d pods have %[2]d devices again", numberOfDevices-few, len(pods))
}

// prepared claims on the node: the driver writes a file of devices for each, and one for what is the same in all.
func (c *cluster) prepared(t *testing.T) int {
	t.Helper()
	files, err := c.In(t.Context(), "sh", "-c", "ls /var/run/cdi").CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, files)
	}
	return strings.Count(string(files), "\n") - strings.Count(string(files), "common")
}
