package objects

import (
	"fmt"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"

	v1 "github.com/claimbridge/claimbridge/api/v1"
)

// deviceStatuses returns the status that drivers report for some of the allocated devices, in random order.
func (s Source) deviceStatuses(results []v1.DeviceRequestAllocationResult) (devices []v1.AllocatedDeviceStatus) {
	type device struct{ driver, pool, device, share string }
	seen := map[device]bool{}
	for _, i := range s.Perm(len(results)) {
		r := results[i]
		d := v1.AllocatedDeviceStatus{Driver: r.Driver, Pool: r.Pool, Device: r.Device}
		id := device{r.Driver, r.Pool, r.Device, ""}
		if r.ShareID != nil {
			id.share = string(*r.ShareID)
			d.ShareID = &id.share
		}
		if seen[id] || s.oneIn(4) {
			continue
		}
		seen[id] = true
		d.Conditions = s.conditions()
		if s.oneIn(2) {
			d.Data = &runtime.RawExtension{Raw: s.parameters()}
		}
		if s.oneIn(2) {
			d.NetworkData = s.networkData()
		}
		devices = append(devices, d)
	}
	return devices
}

func (s Source) conditions() (conditions []metav1.Condition) {
	for i := range s.count(v1.AllocatedDeviceStatusMaxConditions) {
		conditions = append(conditions, metav1.Condition{
			Type:               pick(s, "Ready", "example.com/configured", "c") + fmt.Sprint(i),
			Status:             pick(s, metav1.ConditionTrue, metav1.ConditionFalse, metav1.ConditionUnknown),
			ObservedGeneration: pick(s, 0, s.Int64N(1<<50)),
			LastTransitionTime: s.timestamp(),
			Reason:             pick(s, "Configured", "a1:b,c_d"),
			Message:            pick(s, "", s.text(200)),
		})
	}
	return conditions
}

func (s Source) networkData() *v1.NetworkDeviceData {
	n := &v1.NetworkDeviceData{}
	if !s.oneIn(4) {
		n.InterfaceName = pick(s, "eth0", strings.Repeat("e", v1.NetworkDeviceDataInterfaceNameMaxLength))
		n.HardwareAddress = pick(s, "", "02:00:5e:10:00:01",
			strings.Repeat("0", v1.NetworkDeviceDataHardwareAddressMaxLength))
	}
	for i := range s.count(v1.NetworkDeviceDataMaxIPs) {
		n.IPs = append(n.IPs, fmt.Sprintf(pick(s, "192.0.2.%d/24", "2001:db8::%x/64", "10.0.0.%d/8"), i+1))
	}
	return n
}
