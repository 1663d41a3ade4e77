package v1beta1

import (
	v1 "github.com/claimbridge/claimbridge/api/v1"
	"github.com/claimbridge/claimbridge/api/v1alpha3"
)

func resultDown(new v1.DeviceRequestAllocationResult) v1alpha3.DeviceRequestAllocationResult {
	return v1alpha3.DeviceRequestAllocationResult{
		Request: new.Request, Driver: new.Driver, Pool: new.Pool, Device: new.Device, AdminAccess: new.AdminAccess,
		Tolerations: tolerationsDown(new.Tolerations),
	}
}

// devicesDown leaves out what is reported of shares: in v1alpha3 there can be one entry a device.
func devicesDown(new []v1.AllocatedDeviceStatus) []v1alpha3.AllocatedDeviceStatus {
	if new == nil {
		return nil
	}
	old := make([]v1alpha3.AllocatedDeviceStatus, 0, len(new))
	for _, d := range new {
		if d.ShareID == nil {
			old = append(old, v1alpha3.AllocatedDeviceStatus{
				Driver: d.Driver, Pool: d.Pool, Device: d.Device, Conditions: d.Conditions, Data: d.Data, NetworkData: d.NetworkData,
			})
		}
	}
	return old
}
