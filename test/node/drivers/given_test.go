//go:build node

package drivers

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	resourcev1 "k8s.io/api/resource/v1"
)

// given is what a pod has of the driver: its devices, and the UID of the claim that each was for.
type given map[string]string

// What the driver puts into the environment, as the program of the pods prints it and kubectl says which pod did.
var (
	deviceLine = regexp.MustCompile(`(?m)^\[pod/([^/]+)/[^\]]+\] GPU_DEVICE_(\d+)=(gpu-\d+)$`)
	claimLine  = regexp.MustCompile(`(?m)^\[pod/([^/]+)/[^\]]+\] GPU_DEVICE_(?:GPU_)?(\d+)_RESOURCE_CLAIM=(.+)$`)
)

// inPods of a namespace: what each container found when it started.
func (c *cluster) inPods(t *testing.T, namespace string) map[string]given {
	t.Helper()
	logs, code := c.shell(t, "kubectl logs -n "+namespace+" -l '!none' --prefix --tail=-1 --max-log-requests=50")
	if code != 0 {
		return nil
	}
	pods := map[string]given{}
	claims := map[[2]string]string{}
	for _, m := range claimLine.FindAllStringSubmatch(logs, -1) {
		claims[[2]string{m[1], m[2]}] = m[3]
	}
	for _, m := range deviceLine.FindAllStringSubmatch(logs, -1) {
		if pods[m[1]] == nil {
			pods[m[1]] = given{}
		}
		pods[m[1]][m[3]] = claims[[2]string{m[1], m[2]}]
	}
	return pods
}

// inClaims of a namespace: what was allocated to the pods for which claims are reserved, which v1
// and v1beta1 say alike.
func (c *cluster) inClaims(t *testing.T, namespace string) map[string]given {
	t.Helper()
	var list resourcev1.ResourceClaimList
	err := json.Unmarshal([]byte(c.run(t,
		"kubectl get resourceclaims."+c.version+".resource.k8s.io -o json -n "+namespace+" 2>/dev/null")),
		&list)
	if err != nil {
		t.Fatal(err)
	}
	pods := map[string]given{}
	for _, claim := range list.Items {
		if claim.Status.Allocation == nil {
			continue
		}
		for _, pod := range claim.Status.ReservedFor {
			if pods[pod.Name] == nil {
				pods[pod.Name] = given{}
			}
			for _, result := range claim.Status.Allocation.Devices.Results {
				pods[pod.Name][result.Device] = string(claim.UID)
			}
		}
	}
	return pods
}

// agree waits until a number of pods of a namespace run, each with the device that is allocated to its claim.
func (c *cluster) agree(t *testing.T, namespace string, want int) map[string]given {
	t.Helper()
	var pods map[string]given
	c.eventually(t, fmt.Sprintf("%d pods of %s have their devices", want, namespace), func() string {
		pods = c.inPods(t, namespace)
		if diff := cmp.Diff(c.inClaims(t, namespace), pods); diff != "" {
			return "(-claims +pods):\n" + diff
		}
		devices := map[string]bool{}
		for _, of := range pods {
			for device := range of {
				devices[device] = true
			}
		}
		if len(pods) != want || len(devices) != want {
			return fmt.Sprintf("%d pods have %d devices: %v\n%s", len(pods), len(devices), pods,
				c.run(t, "kubectl get pods,resourceclaims -n "+namespace))
		}
		return ""
	})
	return pods
}

// published devices of the driver.
func (c *cluster) published(t *testing.T) []string {
	t.Helper()
	return slices.Sorted(slices.Values(strings.Fields(c.run(t,
		"kubectl get resourceslices."+c.version+
			".resource.k8s.io -o jsonpath='{.items[*].spec.devices[*].name}' 2>/dev/null"))))
}
