package preserve

import (
	"slices"
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"

	v1 "github.com/claimbridge/claimbridge/api/v1"
)

// devices returns a device status for each word: a device, or a device and its share as in gpu/share.
func devices(words string) (list []v1.AllocatedDeviceStatus) {
	for word := range strings.FieldsSeq(words) {
		device, share, isShare := strings.Cut(word, "/")
		status := v1.AllocatedDeviceStatus{Driver: "d", Pool: "p", Device: device}
		if isShare {
			status.ShareID = &share
		}
		list = append(list, status)
	}
	return list
}

// words is the reverse of devices.
func words(devices []v1.AllocatedDeviceStatus) string {
	var all []string
	for _, d := range devices {
		word := d.Device
		if d.ShareID != nil {
			word += "/" + *d.ShareID
		}
		all = append(all, word)
	}
	return strings.Join(all, " ")
}

// An older version does not represent the status of shares. None of them is lost when a client changes the visible
// device statuses.
func TestMergeDevices(t *testing.T) {
	for name, test := range map[string]struct{ preserved, written, want string }{
		"first visible device added":       {"a/1 a/2", "b", "a/1 a/2 b"},
		"last visible device removed":      {"a/1 b a/2", "", "a/1 a/2"},
		"device added":                     {"a/1 b", "b c", "a/1 b c"},
		"hidden devices keep their places": {"x/1 a x/2 b x/3", "a c b", "x/1 a x/2 c b x/3"},
		"order changed":                    {"x/1 a x/2 b x/3", "b a", "x/1 b x/3 a x/2"},
		"neighbor removed":                 {"x/1 a x/2 b x/3", "a", "x/1 a x/2 x/3"},
		"duplicate keys written":           {"x/1 a x/2", "a a", "x/1 a x/2 a"},
		"nothing hidden":                   {"a b", "b", "b"},
	} {
		t.Run(name, func(t *testing.T) {
			preserved := &v1.ResourceClaimStatus{Devices: devices(test.preserved)}
			isShare := func(d v1.AllocatedDeviceStatus) bool { return d.ShareID != nil }
			edits := statusEdits{
				before: &v1.ResourceClaimStatus{Devices: slices.DeleteFunc(devices(test.preserved), isShare)},
				after:  &v1.ResourceClaimStatus{Devices: devices(test.written)},
			}
			if got := words(edits.mergeInto(preserved).Devices); got != test.want {
				t.Errorf("got %q, want %q", got, test.want)
			}
			if got := words(preserved.Devices); got != test.preserved {
				t.Errorf("the preserved status became %q", got)
			}
		})
	}
}

// A field that the client did not change is the preserved one, even if the API server changed its spelling.
func TestMergeStatus(t *testing.T) {
	allocation := func(device string) *v1.AllocationResult {
		result := v1.DeviceRequestAllocationResult{Request: "r", Driver: "d", Pool: "p", Device: device}
		return &v1.AllocationResult{Devices: v1.DeviceAllocationResult{
			Results: []v1.DeviceRequestAllocationResult{result},
		}}
	}
	consumer := func(uid types.UID) []v1.ResourceClaimConsumerReference {
		return []v1.ResourceClaimConsumerReference{{Resource: "pods", Name: "p", UID: uid}}
	}
	withData := func(data string, conditions ...metav1.Condition) []v1.AllocatedDeviceStatus {
		list := devices("a")
		list[0].Data = &runtime.RawExtension{Raw: []byte(data)}
		list[0].Conditions = conditions
		return list
	}
	timestamp := metav1.Unix(1, 0)
	preserved := &v1.ResourceClaimStatus{
		Allocation:  allocation("a"),
		ReservedFor: consumer("1"),
		Devices:     withData(`{"n":1.50}`),
	}
	preserved.Allocation.AllocationTimestamp = &timestamp // not visible in an older version
	before := &v1.ResourceClaimStatus{
		Allocation: allocation("a"), ReservedFor: consumer("1"), Devices: withData(`{"n":1.5}`),
	}

	unchanged := statusEdits{before: before, after: before.DeepCopy()}
	if !unchanged.isEmpty() {
		t.Error("an unchanged status has edits")
	}

	after := before.DeepCopy()
	after.ReservedFor = consumer("2")
	after.Devices[0].Conditions = []metav1.Condition{{Type: "Ready"}}
	merged := statusEdits{before: before, after: after}.mergeInto(preserved)
	if merged.Allocation != preserved.Allocation {
		t.Error("an allocation that the client did not change is not the preserved one")
	}
	if merged.ReservedFor[0].UID != "2" {
		t.Errorf("the consumer is %s", merged.ReservedFor[0].UID)
	}
	if data := string(merged.Devices[0].Data.Raw); data != `{"n":1.50}` || len(merged.Devices[0].Conditions) != 1 {
		t.Errorf("the device status has data %s and %d conditions", data, len(merged.Devices[0].Conditions))
	}

	// An API server removes the status of a device that is no longer allocated.
	after = before.DeepCopy()
	after.Allocation = allocation("b")
	merged = statusEdits{before: before, after: after}.mergeInto(preserved)
	if merged.Allocation.Devices.Results[0].Device != "b" || merged.Allocation.AllocationTimestamp != nil {
		t.Errorf("the allocation is %+v", merged.Allocation)
	}
	if len(merged.Devices) != 0 {
		t.Errorf("statuses of %s are left", words(merged.Devices))
	}
	if len(preserved.Devices) != 1 {
		t.Error("the preserved status was changed")
	}
}
