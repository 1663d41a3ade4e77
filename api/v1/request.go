package v1

import "k8s.io/apimachinery/pkg/api/resource"

// DeviceRequest asks for devices: exactly for some of one class, or for the first of several
// alternatives that can be had. Exactly one of the two is set; a client must not act on a request
// that has neither, since it is of a later release.
type DeviceRequest struct {
	// Name by which constraints, configurations, results and a pod's containers refer to the request. A DNS label (at
	// most 63 bytes, no dots), unique in the claim.
	// +required
	Name string `json:"name,omitempty"`

	// Exactly is set when nothing else will do.
	// +optional
	Exactly *ExactDeviceRequest `json:"exactly,omitempty"`

	// FirstAvailable lists alternatives, the best one first: the scheduler takes the first that it can satisfy. At most 8,
	// no name twice. Since 1.33, behind the feature gate DRAPrioritizedList, on from 1.34.
	// +optional
	// +listType=atomic
	// +kubebuilder:validation:MaxItems=8
	FirstAvailable []DeviceSubRequest `json:"firstAvailable,omitempty"`
}

// FirstAvailableDeviceRequestMaxSize is how many alternatives a request may have.
const FirstAvailableDeviceRequestMaxSize = 8

// ExactDeviceRequest asks for devices of one class, often for a single one.
type ExactDeviceRequest struct {
	// DeviceClassName names the DeviceClass that devices must belong to; the class may add selectors
	// and configuration of its own. A DNS subdomain (at most 253 bytes); there is no default class. It
	// is required, but by a rule, which says so with upstream's words.
	// +optional
	DeviceClassName string `json:"deviceClassName,omitempty"`

	// Selectors must all accept a device for it to be considered. At most 32.
	// +optional
	// +listType=atomic
	// +kubebuilder:validation:MaxItems=32
	Selectors []DeviceSelector `json:"selectors,omitempty"`

	// AllocationMode says how many devices satisfy the request: ExactCount, the default, or All. Empty counts as
	// absent. A client must not act on a mode that it does not know.
	// +optional
	// +kubebuilder:default=ExactCount
	AllocationMode DeviceAllocationMode `json:"allocationMode,omitempty"`

	// Count of devices for mode ExactCount; not allowed with mode All. 0 counts as absent, and absent as 1. The schema
	// sets no default, because the schema of a custom resource cannot make one depend on the mode.
	// +optional
	Count int64 `json:"count,omitempty"`

	// AdminAccess asks for access next to ordinary claims, for monitoring or management: the devices are not taken
	// from others, nor kept from them. Only in namespaces with the label resource.kubernetes.io/admin-access: "true".
	// Absent means false, but is another value where the spec must not change. Feature gate DRAAdminAccess, on from 1.34.
	// +optional
	AdminAccess *bool `json:"adminAccess,omitempty"`

	// Tolerations let devices be taken although they have these taints. At most 16, which no release enforces. Since 1.33,
	// behind the feature gate DRADeviceTaints, on from 1.36.
	// +optional
	// +listType=atomic
	Tolerations []DeviceToleration `json:"tolerations,omitempty"`

	// Capacity that each device must have left. Since 1.34, behind the feature gate DRAConsumableCapacity, on from 1.36.
	// +optional
	Capacity *CapacityRequirements `json:"capacity,omitempty"`

	// DerivedAttributes are computed for each device, for constraints to compare. At most 32, each used by a constraint.
	// Since 1.37, behind the feature gate DRADerivedAttributes, which is off.
	// +optional
	// +listType=atomic
	// +kubebuilder:validation:MaxItems=32
	DerivedAttributes []DeviceDerivedAttribute `json:"derivedAttributes,omitempty"`
}

// DeviceSubRequest is one alternative of a request. Its fields are those of [ExactDeviceRequest],
// but for adminAccess, which an alternative cannot ask for.
type DeviceSubRequest struct {
	// Name of the alternative. Results, constraints and configurations refer to it as
	// <request>/<name>. A DNS label, unique among the alternatives of a request.
	// +required
	Name string `json:"name,omitempty"`

	// DeviceClassName names the DeviceClass that devices must belong to. A DNS subdomain (at most 253
	// bytes), required by a rule.
	// +optional
	DeviceClassName string `json:"deviceClassName,omitempty"`

	// Selectors must all accept a device for it to be considered. At most 32.
	// +optional
	// +listType=atomic
	// +kubebuilder:validation:MaxItems=32
	Selectors []DeviceSelector `json:"selectors,omitempty"`

	// AllocationMode says how many devices satisfy the request: ExactCount, the default, or All.
	// +optional
	// +kubebuilder:default=ExactCount
	AllocationMode DeviceAllocationMode `json:"allocationMode,omitempty"`

	// Count of devices for mode ExactCount; not allowed with mode All. 0 counts as absent, and absent as 1.
	// +optional
	Count int64 `json:"count,omitempty"`

	// Tolerations let devices be taken although they have these taints. At most 16, which no release enforces.
	// +optional
	// +listType=atomic
	Tolerations []DeviceToleration `json:"tolerations,omitempty"`

	// Capacity that each device must have left. Since 1.34.
	// +optional
	Capacity *CapacityRequirements `json:"capacity,omitempty"`

	// DerivedAttributes are computed for each device, for constraints to compare. At most 32. Since 1.37.
	// +optional
	// +listType=atomic
	// +kubebuilder:validation:MaxItems=32
	DerivedAttributes []DeviceDerivedAttribute `json:"derivedAttributes,omitempty"`
}

// DeviceTolerationsMaxSize is how many tolerations a request may have, as upstream's documentation
// says. No release up to 1.37 enforces it.
const DeviceTolerationsMaxSize = 16

// DeviceToleration tolerates the taints of devices that match it.
type DeviceToleration struct {
	// Key of the taint, a label name. Empty: all keys, with operator Exists only.
	// +optional
	Key string `json:"key,omitempty"`

	// Operator is Exists or Equal, the default.
	// +optional
	// +kubebuilder:default=Equal
	Operator DeviceTolerationOperator `json:"operator,omitempty"`

	// Value of the taint for operator Equal, a label value; empty for Exists.
	// +optional
	Value string `json:"value,omitempty"`

	// Effect of the taint: NoSchedule, NoExecute, or from 1.35 on None. Empty: all effects.
	// +optional
	Effect DeviceTaintEffect `json:"effect,omitempty"`

	// TolerationSeconds is how long a taint with effect NoExecute is tolerated. Absent: indefinitely. Zero
	// and less: not at all.
	// +optional
	TolerationSeconds *int64 `json:"tolerationSeconds,omitempty"`
}

// DeviceTolerationOperator relates a toleration's key to its value.
type DeviceTolerationOperator string

const (
	// DeviceTolerationOpExists tolerates all values.
	DeviceTolerationOpExists DeviceTolerationOperator = "Exists"
	// DeviceTolerationOpEqual tolerates one value.
	DeviceTolerationOpEqual DeviceTolerationOperator = "Equal"
)

// DeviceTaintEffect is what a taint does to those who do not tolerate it.
type DeviceTaintEffect string

const (
	// DeviceTaintEffectNone does nothing.
	DeviceTaintEffectNone DeviceTaintEffect = "None"
	// DeviceTaintEffectNoSchedule keeps new pods from the device.
	DeviceTaintEffectNoSchedule DeviceTaintEffect = "NoSchedule"
	// DeviceTaintEffectNoExecute also evicts pods that use it.
	DeviceTaintEffectNoExecute DeviceTaintEffect = "NoExecute"
)

// QualifiedName is a C identifier of at most 32 bytes, with or without a domain (a DNS subdomain of
// at most 63 bytes) and a slash before it.
type QualifiedName string

// CapacityRequirementsMaxSize is how many capacities a request may have, and a result may consume, from 1.38 on.
const CapacityRequirementsMaxSize = 32

// CapacityRequirements are what a device must have left.
type CapacityRequirements struct {
	// Requests by the name of a capacity.
	// +optional
	Requests map[QualifiedName]resource.Quantity `json:"requests,omitempty"`
}

// DeviceDerivedAttribute is an attribute that an expression computes.
type DeviceDerivedAttribute struct {
	// Name by which constraints refer to it, unique in a request. It hides a device's own attribute of that name.
	// +required
	Name FullyQualifiedName `json:"name,omitempty"`

	// Expression in CEL that gives a boolean, an integer, a string or a semantic version, at most
	// 10240 bytes. It reads what a selector reads. All those of a claim may cost 1000000 together.
	// +required
	Expression string `json:"expression,omitempty"`
}

// DeviceDerivedAttributesMaxSize is how many derived attributes a request may have.
const DeviceDerivedAttributesMaxSize = 32
