package v1alpha3

import v1 "github.com/claimbridge/claimbridge/api/v1"

// Types with the same fields in v1 and in this version are aliases.

//nolint:revive // the types that they alias have comments
type (
	AllocationConfigSource         = v1.AllocationConfigSource
	CELDeviceSelector              = v1.CELDeviceSelector
	DeviceAllocationConfiguration  = v1.DeviceAllocationConfiguration
	DeviceAllocationMode           = v1.DeviceAllocationMode
	DeviceClaimConfiguration       = v1.DeviceClaimConfiguration
	DeviceConfiguration            = v1.DeviceConfiguration
	DeviceSelector                 = v1.DeviceSelector
	DeviceTaintEffect              = v1.DeviceTaintEffect
	DeviceToleration               = v1.DeviceToleration
	DeviceTolerationOperator       = v1.DeviceTolerationOperator
	FullyQualifiedName             = v1.FullyQualifiedName
	NetworkDeviceData              = v1.NetworkDeviceData
	OpaqueDeviceConfiguration      = v1.OpaqueDeviceConfiguration
	ResourceClaimConsumerReference = v1.ResourceClaimConsumerReference
)

// Constants of these types.
const (
	AllocationConfigSourceClass    = v1.AllocationConfigSourceClass
	AllocationConfigSourceClaim    = v1.AllocationConfigSourceClaim
	DeviceAllocationModeExactCount = v1.DeviceAllocationModeExactCount
	DeviceAllocationModeAll        = v1.DeviceAllocationModeAll
	DeviceTaintEffectNoSchedule    = v1.DeviceTaintEffectNoSchedule
	DeviceTaintEffectNoExecute     = v1.DeviceTaintEffectNoExecute
	DeviceTolerationOpExists       = v1.DeviceTolerationOpExists
	DeviceTolerationOpEqual        = v1.DeviceTolerationOpEqual
)

// Limits that are the same as in v1.
const (
	DeviceSelectorsMaxSize             = v1.DeviceSelectorsMaxSize
	FirstAvailableDeviceRequestMaxSize = v1.FirstAvailableDeviceRequestMaxSize
)
