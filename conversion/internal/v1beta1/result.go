package v1beta1

import (
	"slices"

	v1 "github.com/claimbridge/claimbridge/api/v1"
	"github.com/claimbridge/claimbridge/api/v1alpha3"
)

func resultUp(old v1alpha3.DeviceRequestAllocationResult) v1.DeviceRequestAllocationResult {
	return v1.DeviceRequestAllocationResult{
		Request: old.Request, Driver: old.Driver, Pool: old.Pool, Device: old.Device, AdminAccess: old.AdminAccess,
		Tolerations: slices.Clone(old.Tolerations),
	}
}

func resultDown(new v1.DeviceRequestAllocationResult) v1alpha3.DeviceRequestAllocationResult {
	return v1alpha3.DeviceRequestAllocationResult{
		Request: new.Request, Driver: new.Driver, Pool: new.Pool, Device: new.Device, AdminAccess: new.AdminAccess,
		Tolerations: tolerationsDown(new.Tolerations),
	}
}

// isLaterResult reports whether a result has what v1alpha3 cannot say.
func isLaterResult(r v1.DeviceRequestAllocationResult) bool {
	return len(r.BindingConditions) > 0 || len(r.BindingFailureConditions) > 0 || r.ShareID != nil ||
		len(r.ConsumedCapacity) > 0 || len(r.SkipNodeOperations) > 0 || slices.ContainsFunc(r.Tolerations, isLaterToleration)
}

func deviceUp(old v1alpha3.AllocatedDeviceStatus) v1.AllocatedDeviceStatus {
	return v1.AllocatedDeviceStatus{
		Driver: old.Driver, Pool: old.Pool, Device: old.Device, Conditions: old.Conditions, Data: old.Data, NetworkData: old.NetworkData,
	}
}

// devicesDown takes out what is reported of shares: in v1alpha3 there can be one entry a device.
func devicesDown(new []v1.AllocatedDeviceStatus) (old []v1alpha3.AllocatedDeviceStatus, shares []Share) {
	if new != nil {
		old = make([]v1alpha3.AllocatedDeviceStatus, 0, len(new))
	}
	for i, d := range new {
		if d.ShareID != nil {
			shares = append(shares, Share{At: i, Device: d})
			continue
		}
		old = append(old, v1alpha3.AllocatedDeviceStatus{
			Driver: d.Driver, Pool: d.Pool, Device: d.Device, Conditions: d.Conditions, Data: d.Data, NetworkData: d.NetworkData,
		})
	}
	return old, shares
}
