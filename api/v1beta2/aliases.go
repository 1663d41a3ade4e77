package v1beta2

import v1 "github.com/claimbridge/claimbridge/api/v1"

// The fields of spec and status are the same in v1 and in this version in every release up to 1.37, so these types are
// aliases.

//nolint:revive // the types that they alias have comments
type (
	ResourceClaimSpec              = v1.ResourceClaimSpec
	DeviceClaim                    = v1.DeviceClaim
	DeviceRequest                  = v1.DeviceRequest
	ExactDeviceRequest             = v1.ExactDeviceRequest
	DeviceSubRequest               = v1.DeviceSubRequest
	DeviceToleration               = v1.DeviceToleration
	DeviceTolerationOperator       = v1.DeviceTolerationOperator
	DeviceTaintEffect              = v1.DeviceTaintEffect
	QualifiedName                  = v1.QualifiedName
	CapacityRequirements           = v1.CapacityRequirements
	DeviceDerivedAttribute         = v1.DeviceDerivedAttribute
	DeviceAllocationMode           = v1.DeviceAllocationMode
	DeviceSelector                 = v1.DeviceSelector
	CELDeviceSelector              = v1.CELDeviceSelector
	DeviceConstraint               = v1.DeviceConstraint
	FullyQualifiedName             = v1.FullyQualifiedName
	DeviceClaimConfiguration       = v1.DeviceClaimConfiguration
	DeviceConfiguration            = v1.DeviceConfiguration
	OpaqueDeviceConfiguration      = v1.OpaqueDeviceConfiguration
	ResourceClaimStatus            = v1.ResourceClaimStatus
	AllocationResult               = v1.AllocationResult
	DeviceAllocationResult         = v1.DeviceAllocationResult
	DeviceRequestAllocationResult  = v1.DeviceRequestAllocationResult
	SkipNodeOperation              = v1.SkipNodeOperation
	AllocatedDeviceStatus          = v1.AllocatedDeviceStatus
	NetworkDeviceData              = v1.NetworkDeviceData
	DeviceAllocationConfiguration  = v1.DeviceAllocationConfiguration
	AllocationConfigSource         = v1.AllocationConfigSource
	ResourceClaimConsumerReference = v1.ResourceClaimConsumerReference
	ResourceClaimTemplateSpec      = v1.ResourceClaimTemplateSpec
)

// Constants of these types.
const (
	AllocationConfigSourceClass         = v1.AllocationConfigSourceClass
	AllocationConfigSourceClaim         = v1.AllocationConfigSourceClaim
	DeviceAllocationModeExactCount      = v1.DeviceAllocationModeExactCount
	DeviceAllocationModeAll             = v1.DeviceAllocationModeAll
	DeviceTaintEffectNone               = v1.DeviceTaintEffectNone
	DeviceTaintEffectNoSchedule         = v1.DeviceTaintEffectNoSchedule
	DeviceTaintEffectNoExecute          = v1.DeviceTaintEffectNoExecute
	DeviceTolerationOpExists            = v1.DeviceTolerationOpExists
	DeviceTolerationOpEqual             = v1.DeviceTolerationOpEqual
	SkipNodeOperationPrepareResources   = v1.SkipNodeOperationPrepareResources
	SkipNodeOperationUnprepareResources = v1.SkipNodeOperationUnprepareResources
	SkipNodeOperationAll                = v1.SkipNodeOperationAll
)
