package v1alpha3

import (
	"strconv"

	"github.com/claimbridge/claimbridge/api/v1alpha2"
	"github.com/claimbridge/claimbridge/internal/names"
)

// A result of v1alpha3 names a pool and a device. What stands for a classic handle, which has
// neither, is in a pool of ours.
const (
	placeholderPool = names.Domain
	deviceNone      = "none"
	devicePrefix    = "handle-"
)

// handleDevices are the names of as many as an allocation has at most.
var handleDevices = func() (names [v1alpha2.AllocationResultResourceHandlesMaxSize]string) {
	for n := range names {
		names[n] = devicePrefix + strconv.Itoa(n)
	}
	return names
}()

// handleDevice is the device that stands for the nth handle.
func handleDevice(n int) string {
	if n < len(handleDevices) {
		return handleDevices[n]
	}
	return devicePrefix + strconv.Itoa(n)
}

// IsHandleDevice reports whether a device in the placeholder pool stands for a handle that names no device.
func IsHandleDevice(device string) bool {
	if len(device) <= len(devicePrefix) || device[:len(devicePrefix)] != devicePrefix {
		return false
	}
	_, err := strconv.ParseUint(device[len(devicePrefix):], 10, 16)
	return err == nil
}
