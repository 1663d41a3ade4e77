package v1

import "k8s.io/apimachinery/pkg/api/resource"

// DeviceRequest requests devices of one class (exactly), or of the first alternative that can be satisfied
// (firstAvailable). Exactly one of the two is set. A client must not act on a request that has neither, because it may
// have fields that the client doesn't know.
type DeviceRequest struct {
	// Name is the name with which constraints, configurations, results and the containers of a pod refer to the request. A
	// DNS label (at most 63 bytes, no dots), unique in the claim.
	// +required
	Name string `json:"name,omitempty"`

	// Exactly is set if the request has no alternatives.
	// +optional
	Exactly *ExactDeviceRequest `json:"exactly,omitempty"`

	// FirstAvailable lists alternatives in order of preference. The scheduler uses the first one that it can satisfy.
	// There are at most 8, with unique names. Since 1.33, with the feature gate DRAPrioritizedList, enabled by default
	// since 1.34.
	// +optional
	// +listType=atomic
	// +kubebuilder:validation:MaxItems=8
	FirstAvailable []DeviceSubRequest `json:"firstAvailable,omitempty"`
}

// FirstAvailableDeviceRequestMaxSize is the maximum number of alternatives of a request.
const FirstAvailableDeviceRequestMaxSize = 8

// ExactDeviceRequest requests one or more devices of one class.
type ExactDeviceRequest struct {
	// DeviceClassName is the name of the DeviceClass of the devices, which can add selectors and configuration. A DNS
	// subdomain (at most 253 bytes). There is no default. It is required, which a validation rule checks, and not the
	// schema.
	// +optional
	DeviceClassName string `json:"deviceClassName,omitempty"`

	// Selectors must all match a device for it to be allocated. There are at most 32.
	// +optional
	// +listType=atomic
	// +kubebuilder:validation:MaxItems=32
	Selectors []DeviceSelector `json:"selectors,omitempty"`

	// AllocationMode determines how many devices satisfy the request: ExactCount, the default, or All. An empty value is
	// treated as absent. A client must not act on an unknown mode.
	// +optional
	// +kubebuilder:default=ExactCount
	AllocationMode DeviceAllocationMode `json:"allocationMode,omitempty"`

	// Count is the number of devices for the mode ExactCount. It is not allowed with the mode All. 0 is treated as absent,
	// and absent as 1. The schema sets no default, because a default in a schema can't depend on the mode.
	// +optional
	Count int64 `json:"count,omitempty"`

	// AdminAccess requests devices for monitoring or management that other claims can use at the same time. It is allowed
	// only in namespaces with the label resource.kubernetes.io/admin-access: "true". Absent means false, but an update
	// that sets false changes the spec. It has the feature gate DRAAdminAccess, enabled by default since 1.34.
	// +optional
	AdminAccess *bool `json:"adminAccess,omitempty"`

	// Tolerations allow the allocation of devices that have these taints. At most 16 by convention: no release enforces
	// this. Since 1.33, with the feature gate DRADeviceTaints, enabled by default since 1.36.
	// +optional
	// +listType=atomic
	Tolerations []DeviceToleration `json:"tolerations,omitempty"`

	// Capacity is the capacity that each device must have available. Since 1.34, with the feature gate
	// DRAConsumableCapacity, enabled by default since 1.36.
	// +optional
	Capacity *CapacityRequirements `json:"capacity,omitempty"`

	// DerivedAttributes are attributes that are computed for each device and compared by constraints. There are at most
	// 32, and a constraint must use each of them. Since 1.37, with the feature gate DRADerivedAttributes, disabled by
	// default.
	// +optional
	// +listType=atomic
	// +kubebuilder:validation:MaxItems=32
	DerivedAttributes []DeviceDerivedAttribute `json:"derivedAttributes,omitempty"`
}

// DeviceSubRequest is one alternative of a request. It has the fields of [ExactDeviceRequest] except adminAccess.
type DeviceSubRequest struct {
	// Name is the name of the alternative. Results, constraints and configurations refer to it as <request>/<name>. A DNS
	// label, unique among the alternatives of a request.
	// +required
	Name string `json:"name,omitempty"`

	// DeviceClassName is the name of the DeviceClass of the devices. A DNS subdomain (at most 253 bytes). It is required,
	// which a validation rule checks.
	// +optional
	DeviceClassName string `json:"deviceClassName,omitempty"`

	// Selectors must all match a device for it to be allocated. There are at most 32.
	// +optional
	// +listType=atomic
	// +kubebuilder:validation:MaxItems=32
	Selectors []DeviceSelector `json:"selectors,omitempty"`

	// AllocationMode determines how many devices satisfy the request: ExactCount, the default, or All.
	// +optional
	// +kubebuilder:default=ExactCount
	AllocationMode DeviceAllocationMode `json:"allocationMode,omitempty"`

	// Count is the number of devices for the mode ExactCount. It is not allowed with the mode All. 0 is treated as absent,
	// and absent as 1.
	// +optional
	Count int64 `json:"count,omitempty"`

	// Tolerations allow the allocation of devices that have these taints. At most 16 by convention: no release enforces
	// this.
	// +optional
	// +listType=atomic
	Tolerations []DeviceToleration `json:"tolerations,omitempty"`

	// Capacity is the capacity that each device must have available. Since 1.34.
	// +optional
	Capacity *CapacityRequirements `json:"capacity,omitempty"`

	// DerivedAttributes are attributes that are computed for each device and compared by constraints. There are at most
	// 32. Since 1.37.
	// +optional
	// +listType=atomic
	// +kubebuilder:validation:MaxItems=32
	DerivedAttributes []DeviceDerivedAttribute `json:"derivedAttributes,omitempty"`
}

// DeviceTolerationsMaxSize is the maximum number of tolerations of a request in the documentation of k8s.io/api. No
// release up to 1.37 enforces it.
const DeviceTolerationsMaxSize = 16

// DeviceToleration tolerates the taints of devices that match it.
type DeviceToleration struct {
	// Key is the key of the taint, a label name. An empty key, which is allowed only with the operator Exists, matches all
	// keys.
	// +optional
	Key string `json:"key,omitempty"`

	// Operator is Exists, or the default Equal.
	// +optional
	// +kubebuilder:default=Equal
	Operator DeviceTolerationOperator `json:"operator,omitempty"`

	// Value is the value of the taint for the operator Equal, a label value. It is empty for Exists.
	// +optional
	Value string `json:"value,omitempty"`

	// Effect is the effect of the taint: NoSchedule, NoExecute or, since 1.35, None. An empty effect matches all effects.
	// +optional
	Effect DeviceTaintEffect `json:"effect,omitempty"`

	// TolerationSeconds is how long a taint with the effect NoExecute is tolerated. Absent means indefinitely, zero and
	// less not at all.
	// +optional
	TolerationSeconds *int64 `json:"tolerationSeconds,omitempty"`
}

// DeviceTolerationOperator determines how the value of a toleration is compared with the taint.
type DeviceTolerationOperator string

const (
	// DeviceTolerationOpExists matches all values.
	DeviceTolerationOpExists DeviceTolerationOperator = "Exists"
	// DeviceTolerationOpEqual matches one value.
	DeviceTolerationOpEqual DeviceTolerationOperator = "Equal"
)

// DeviceTaintEffect is the effect of a taint on claims and pods that don't tolerate it.
type DeviceTaintEffect string

const (
	// DeviceTaintEffectNone has no effect.
	DeviceTaintEffectNone DeviceTaintEffect = "None"
	// DeviceTaintEffectNoSchedule prevents that the device is allocated.
	DeviceTaintEffectNoSchedule DeviceTaintEffect = "NoSchedule"
	// DeviceTaintEffectNoExecute also evicts pods that use the device.
	DeviceTaintEffectNoExecute DeviceTaintEffect = "NoExecute"
)

// QualifiedName is a C identifier of at most 32 bytes, optionally after a domain (a DNS subdomain of at most 63 bytes)
// and a slash.
type QualifiedName string

// CapacityRequirementsMaxSize is the maximum number of capacities in a request and in a result, since 1.38.
const CapacityRequirementsMaxSize = 32

// CapacityRequirements are the capacities that a device must have available.
type CapacityRequirements struct {
	// Requests are the requested amounts by the name of the capacity.
	// +optional
	Requests map[QualifiedName]resource.Quantity `json:"requests,omitempty"`
}

// DeviceDerivedAttribute is an attribute that a CEL expression computes.
type DeviceDerivedAttribute struct {
	// Name is the name with which constraints refer to the attribute, unique in a request. It hides an attribute of the
	// device with the same name.
	// +required
	Name FullyQualifiedName `json:"name,omitempty"`

	// Expression is a CEL expression that returns a boolean, an integer, a string or a semantic version. It has at most
	// 10240 bytes, and can use the same variables as a selector. All such expressions of a claim together have an
	// estimated cost of at most 1000000.
	// +required
	Expression string `json:"expression,omitempty"`
}

// DeviceDerivedAttributesMaxSize is the maximum number of derived attributes of a request.
const DeviceDerivedAttributesMaxSize = 32
