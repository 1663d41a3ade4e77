package v1alpha3

import (
	"slices"

	"github.com/claimbridge/claimbridge/api/v1alpha3"
	"github.com/claimbridge/claimbridge/conversion/internal/leftover"
	"github.com/claimbridge/claimbridge/internal/kjson"
	"github.com/claimbridge/claimbridge/internal/kjson/codec"
)

// EqualEntry compares entries as the API server sees them: absent and empty lists are the same.
func EqualEntry(a, b v1alpha3.DeviceAllocationConfiguration) bool {
	return a.Source == b.Source && slices.Equal(a.Requests, b.Requests) && leftover.EqualPointers(a.Opaque, b.Opaque, equalOpaque)
}

func equalResult(a, b v1alpha3.DeviceRequestAllocationResult) bool {
	return a.Request == b.Request && a.Driver == b.Driver && a.Pool == b.Pool && a.Device == b.Device &&
		leftover.EqualPointers(a.AdminAccess, b.AdminAccess, leftover.Same) && slices.EqualFunc(a.Tolerations, b.Tolerations, equalToleration)
}

func equalToleration(a, b v1alpha3.DeviceToleration) bool {
	return a.Key == b.Key && a.Operator == b.Operator && a.Value == b.Value && a.Effect == b.Effect &&
		leftover.EqualPointers(a.TolerationSeconds, b.TolerationSeconds, leftover.Same)
}

func equalOpaque(a, b v1alpha3.OpaqueDeviceConfiguration) bool {
	return a.Driver == b.Driver && leftover.EqualRaw(a.Parameters.Raw, b.Parameters.Raw)
}

// entryKey is the same for entries that are equal: canonical JSON.
func entryKey(c *v1alpha3.DeviceAllocationConfiguration) string {
	return kjson.View(kjson.Written(func(w *kjson.Writer) { codec.CanonicalV1DeviceAllocationConfiguration(w, c) }))
}

// sizeOfEntry of a native reading, whose entries are all opaque.
func sizeOfEntry(c *v1alpha3.DeviceAllocationConfiguration) int { return len(c.Opaque.Parameters.Raw) }
