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

// podDevices maps the devices of a pod to the UIDs of their claims.
type podDevices map[string]string

// Environment variables that the driver sets, as the program of the pods prints them and kubectl logs --prefix shows
// them.
var (
	deviceLine = regexp.MustCompile(`(?m)^\[pod/([^/]+)/[^\]]+\] GPU_DEVICE_(\d+)=(gpu-\d+)$`)
	claimLine  = regexp.MustCompile(`(?m)^\[pod/([^/]+)/[^\]]+\] GPU_DEVICE_(?:GPU_)?(\d+)_RESOURCE_CLAIM=(.+)$`)
)

// devicesInPods returns the devices that each pod of a namespace has in the environment of its container.
func (c *cluster) devicesInPods(t *testing.T, namespace string) map[string]podDevices {
	t.Helper()
	logs, code := c.shell(t, "kubectl logs -n "+namespace+" -l '!none' --prefix --tail=-1 --max-log-requests=50")
	if code != 0 {
		return nil
	}
	pods := map[string]podDevices{}
	claims := map[[2]string]string{}
	for _, m := range claimLine.FindAllStringSubmatch(logs, -1) {
		claims[[2]string{m[1], m[2]}] = m[3]
	}
	for _, m := range deviceLine.FindAllStringSubmatch(logs, -1) {
		if pods[m[1]] == nil {
			pods[m[1]] = podDevices{}
		}
		pods[m[1]][m[3]] = claims[[2]string{m[1], m[2]}]
	}
	return pods
}

// devicesInClaims returns the devices that are allocated to each pod of a namespace, according to its claims. These
// fields are the same in v1 and v1beta1.
func (c *cluster) devicesInClaims(t *testing.T, namespace string) map[string]podDevices {
	t.Helper()
	var list resourcev1.ResourceClaimList
	err := json.Unmarshal([]byte(c.run(t,
		"kubectl get resourceclaims."+c.version+".resource.k8s.io -o json -n "+namespace+" 2>/dev/null")),
		&list)
	if err != nil {
		t.Fatal(err)
	}
	pods := map[string]podDevices{}
	for _, claim := range list.Items {
		if claim.Status.Allocation == nil {
			continue
		}
		for _, pod := range claim.Status.ReservedFor {
			if pods[pod.Name] == nil {
				pods[pod.Name] = podDevices{}
			}
			for _, result := range claim.Status.Allocation.Devices.Results {
				pods[pod.Name][result.Device] = string(claim.UID)
			}
		}
	}
	return pods
}

// waitForDevices waits until a number of pods of a namespace run, each with the device that is allocated to its claim.
func (c *cluster) waitForDevices(t *testing.T, namespace string, want int) map[string]podDevices {
	t.Helper()
	var pods map[string]podDevices
	c.eventually(t, fmt.Sprintf("%d pods of %s have their devices", want, namespace), func() string {
		pods = c.devicesInPods(t, namespace)
		if diff := cmp.Diff(c.devicesInClaims(t, namespace), pods); diff != "" {
			return "(-claims +pods):\n" + diff
		}
		devices := map[string]bool{}
		for _, devicesOfPod := range pods {
			for device := range devicesOfPod {
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

// publishedDevices returns the names of the devices in ResourceSlices.
func (c *cluster) publishedDevices(t *testing.T) []string {
	t.Helper()
	return slices.Sorted(slices.Values(strings.Fields(c.run(t,
		"kubectl get resourceslices."+c.version+
			".resource.k8s.io -o jsonpath='{.items[*].spec.devices[*].name}' 2>/dev/null"))))
}
