//go:build node && aggregated

package drivers

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// writtenIn is a version in which somebody asks for a device.
type writtenIn struct {
	version string
	spec    string // of the claim
	source  bool   // its releases had the claim of a pod below source
}

var writings = []writtenIn{
	{"v1alpha1", classic, true},
	{"v1alpha2", classic, true},
	{"v1alpha3", flat, false},
	{"v1beta1", flat, false},
	{"v1beta2", "{devices: {requests: [{name: gpu, exactly: {deviceClassName: gpu.example.com}}]}}", false},
}

const (
	// What v1 has no field for is kept in an entry of configuration, which the driver is handed with the allocation and has to pass over.
	classic = "{resourceClassName: gpu.example.com, allocationMode: Immediate, parametersRef: {apiGroup: gpu.example.com, kind: GpuClaimParameters, name: large}}"
	flat    = "{devices: {requests: [{name: gpu, deviceClassName: gpu.example.com}]}}"
)

// claims of the version: one by itself and one by a template, as far as they are not for pods to say.
func (w writtenIn) claims(namespace string) string {
	return fmt.Sprintf(`apiVersion: resource.k8s.io/%[1]s
kind: ResourceClaim
metadata: {name: claim-%[1]s, namespace: %[2]s}
spec: %[3]s
---
apiVersion: resource.k8s.io/%[1]s
kind: ResourceClaimTemplate
metadata: {name: template-%[1]s, namespace: %[2]s}
spec: {spec: %[3]s}
`, w.version, namespace, w.spec)
}

// pods that ask for both, as the API of their time or of today has it.
func (w writtenIn) pods(namespace string, ofItsTime bool) string {
	source := func(field, name string) string {
		if ofItsTime && w.source {
			return fmt.Sprintf("{name: gpu, source: {%s: %s}}", field, name)
		}
		return fmt.Sprintf("{name: gpu, %s: %s}", field, name)
	}
	pod := func(name, claim string) string {
		return fmt.Sprintf(`apiVersion: v1
kind: Pod
metadata: {name: %s, namespace: %s}
spec:
  containers:
  - {name: devices, image: "kit.local/devices:v1", resources: {claims: [{name: gpu}]}}
  resourceClaims: [%s]
`, name, namespace, claim)
	}
	return pod("by-claim-"+w.version, source("resourceClaimName", "claim-"+w.version)) + "---\n" +
		pod("by-template-"+w.version, source("resourceClaimTemplateName", "template-"+w.version))
}

const everyVersion = "v1alpha1,v1alpha2,v1alpha3,v1beta1,v1beta2"

// Pods whose claims and templates came in an old version, live or by way of files, have the scheduler and the driver of v1beta1 give them
// devices. Then the server goes away, and namespaces are deleted meanwhile.
func TestPodsOfOldClaims(t *testing.T) {
	t.Parallel()
	c := start(t)
	c.run(t, `sed 's/value: "8"/value: "24"/' docs/examples/devices/driver.yaml | kubectl apply -f -`)
	c.install(t, "--versions="+everyVersion)
	inOrder(t,
		part{"a class that convert proposes", c.testClass},
		part{"claims that are created in old versions", c.testCreated},
		part{"claims that were converted in files", c.testConverted},
		part{"a namespace is deleted while the server is away", c.testAway},
	)
}

// v1 has DeviceClasses for what were ResourceClasses; convert says which, and a person writes it.
func (c *cluster) testClass(t *testing.T) {
	said := c.run(t, `claimbridge convert --to 1.36 <<.
{apiVersion: resource.k8s.io/v1alpha2, kind: ResourceClass, metadata: {name: gpu.example.com}, driverName: gpu.example.com}
---
{apiVersion: resource.k8s.io/v1alpha2, kind: ResourceClaim, metadata: {name: a}, spec: {resourceClassName: gpu.example.com}}
.`)
	class := regexp.MustCompile(`\{apiVersion: resource\.k8s\.io/v1, kind: DeviceClass.*\}`).FindString(said)
	if class == "" {
		t.Fatalf("no class is proposed:\n%s", said)
	}
	c.run(t, "kubectl create -f - <<'.'\n"+class+"\n.")
}

func (c *cluster) testCreated(t *testing.T) {
	c.run(t, "kubectl create namespace created")
	var objects []string
	for _, w := range writings {
		objects = append(objects, w.claims("created"), w.pods("created", false))
	}
	c.run(t, "kubectl create -f - <<'.'\n"+strings.Join(objects, "---\n")+".")
	pods := c.agree(t, "created", 2*len(writings))
	t.Logf("%d pods run, with claims and templates of %s", len(pods), everyVersion)
	for _, w := range writings {
		c.eventually(t, "the claim of "+w.version+" is told of its allocation", func() string {
			var claim struct {
				Status struct {
					Allocation  map[string]any
					ReservedFor []struct{ Name string }
				}
			}
			text := c.run(t, fmt.Sprintf("kubectl get resourceclaims.%s.resource.k8s.io claim-%[1]s -n created -o json 2>/dev/null", w.version))
			if err := json.Unmarshal([]byte(text), &claim); err != nil {
				t.Fatal(err)
			}
			if len(claim.Status.Allocation) == 0 || len(claim.Status.ReservedFor) != 1 || claim.Status.ReservedFor[0].Name != "by-claim-"+w.version {
				return text
			}
			return ""
		})
	}
	c.run(t, "kubectl delete pods --all -n created")
	c.eventually(t, "claims are released, and those of templates gone", func() string {
		left := c.run(t, `kubectl get resourceclaims -n created -o jsonpath='{range .items[*]}{.metadata.name}{.status}{"\n"}{end}'`)
		if strings.Count(left, "\n") != len(writings) || strings.Count(left, "{}\n") != len(writings) {
			return left
		}
		return ""
	})
}

func (c *cluster) testConverted(t *testing.T) {
	folder := t.TempDir()
	for _, w := range writings {
		if err := os.WriteFile(filepath.Join(folder, w.version+".yaml"), []byte(w.claims("converted")+"---\n"+w.pods("converted", true)), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	c.run(t, "kubectl create namespace converted")
	said := c.run(t, "claimbridge convert --to 1.36 -f "+folder+" | kubectl create -f -")
	t.Log(said)
	pods := c.agree(t, "converted", 2*len(writings))
	t.Logf("%d pods run, with claims and templates of %s that convert made ones of v1", len(pods), everyVersion)
}
