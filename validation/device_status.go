package validation

import (
	"context"
	"iter"

	"k8s.io/apimachinery/pkg/api/operation"
	"k8s.io/apimachinery/pkg/api/validate"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	metav1validation "k8s.io/apimachinery/pkg/apis/meta/v1/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"

	v1 "github.com/claimbridge/claimbridge/api/v1"
)

// deviceStatusRules are about status.devices, which drivers write, without network data.
var deviceStatusRules = []Rule{
	{
		Name:              "reported-driver-is-valid",
		Reason:            "The status of a device has the name of its driver.",
		Source:            "Kubernetes 1.32+ DT24",
		Since:             release1_32,
		coversLaterFields: true,
		operations:        onStatus,
		check: func(in *input) (errs field.ErrorList) {
			for i, d := range in.new.status.Devices {
				errs = add(errs, in.validateDriverName(d.Driver, devicesPath.Index(i).Child("driver"))...)
			}
			return errs
		},
	},
	{
		Name:              "reported-pool-is-valid",
		Reason:            "The status of a device has the name of its pool.",
		Source:            "Kubernetes 1.32+ DT24",
		Since:             release1_32,
		coversLaterFields: true,
		operations:        onStatus,
		check: func(in *input) (errs field.ErrorList) {
			for i, d := range in.new.status.Devices {
				errs = add(errs, validatePoolName(d.Pool, devicesPath.Index(i).Child("pool"))...)
			}
			return errs
		},
	},
	{
		Name:              "reported-device-is-label",
		Reason:            "The name of the device in the status of a device is a DNS label.",
		Source:            "Kubernetes 1.32+ DT24",
		Since:             release1_32,
		coversLaterFields: true,
		operations:        onStatus,
		check: func(in *input) (errs field.ErrorList) {
			for i, d := range in.new.status.Devices {
				errs = add(errs, validateLabel(d.Device, devicesPath.Index(i).Child("device"))...)
			}
			return errs
		},
	},
	{
		Name: "reported-device-is-allocated",
		Reason: "A device with a status is allocated. Since 1.34, so is its share. The status of a device that was " +
			"deallocated earlier can remain.",
		Source:            "Kubernetes 1.32+ DT25",
		Since:             release1_32,
		coversLaterFields: true,
		operations:        onStatus,
		isTransition:      true,
		check:             checkReportedDevicesAreAllocated,
	},
	{
		Name:              "reported-devices-are-unique",
		Reason:            "A device, or a share of it, has one status.",
		Source:            "Kubernetes 1.32+ DT26",
		Since:             release1_32,
		coversLaterFields: true,
		operations:        onStatus,
		check: func(in *input) (errs field.ErrorList) {
			for i := range duplicatesBy(in.new.status.Devices, idOfStatus) {
				// Up to 1.34 the error names a field that no version has.
				path := in.duplicatePath(devicesPath.Index(i), "deviceID")
				errs = add(errs, field.Duplicate(path, field.OmitValueType{}))
			}
			return errs
		},
	},
	{
		Name:              "reported-conditions-at-most-8",
		Reason:            "The status of a device has at most 8 conditions. In a longer list, all are validated.",
		Source:            "Kubernetes 1.32+ DT27",
		Since:             release1_32,
		coversLaterFields: true,
		operations:        onStatus,
		check: func(in *input) (errs field.ErrorList) {
			for i, d := range in.new.status.Devices {
				if n := len(d.Conditions); n > v1.AllocatedDeviceStatusMaxConditions {
					path := devicesPath.Index(i).Child("conditions")
					errs = add(errs, field.TooMany(path, n, v1.AllocatedDeviceStatusMaxConditions))
				}
			}
			return errs
		},
	},
	{
		Name:              "reported-conditions-are-unique",
		Reason:            "The types of the conditions of a device are unique.",
		Source:            "Kubernetes 1.32+ DT28",
		Since:             release1_32,
		coversLaterFields: true,
		operations:        onStatus,
		check:             checkConditionsAreUnique,
	},
	{
		Name: "reported-condition-is-complete",
		Reason: "A condition has a type of the form of a label key, a status of True, False or Unknown, a reason of " +
			"one word, and the time of its last change.",
		Source:            "Kubernetes 1.32+ DT28",
		Since:             release1_32,
		coversLaterFields: true,
		operations:        onStatus,
		check: func(in *input) (errs field.ErrorList) {
			for path, c := range in.conditions() {
				errs = add(errs, in.validateCondition(c, path)...)
			}
			return errs
		},
	},
	{
		Name:              "reported-data-at-most-10-kib",
		Reason:            "The data in the status of a device has at most 10,240 bytes.",
		Source:            "Kubernetes 1.32+ DT29",
		Since:             release1_32,
		coversLaterFields: true,
		operations:        onStatus,
		check: func(in *input) (errs field.ErrorList) {
			for i, d := range in.new.status.Devices {
				if d.Data != nil && len(d.Data.Raw) > v1.AllocatedDeviceStatusDataMaxLength {
					path := devicesPath.Index(i).Child("data")
					errs = add(errs, field.TooLong(path, "", v1.AllocatedDeviceStatusDataMaxLength))
				}
			}
			return errs
		},
	},
	{
		Name:              "reported-data-is-an-object",
		Reason:            "The data in the status of a device, if it is set, is a JSON object.",
		Source:            "Kubernetes 1.32+ DT29",
		Since:             release1_32,
		coversLaterFields: true,
		operations:        onStatus,
		check: func(in *input) (errs field.ErrorList) {
			for i, d := range in.new.status.Devices {
				if d.Data != nil && len(d.Data.Raw) > 0 && len(d.Data.Raw) <= v1.AllocatedDeviceStatusDataMaxLength {
					errs = add(errs, validateParameters(d.Data.Raw, devicesPath.Index(i).Child("data"))...)
				}
			}
			return errs
		},
	},
	{
		Name:       "share-id-is-uuid",
		Reason:     "The ID of a share of a device, in an allocation or in the status of a device, is a lower-case UUID.",
		Source:     "Kubernetes 1.34+ DT18",
		Since:      release1_34,
		operations: onStatus,
		check: func(in *input) (errs field.ErrorList) {
			for i, r := range in.allocatedResults() {
				errs = add(errs, validateShareID((*string)(r.ShareID), resultsPath.Index(i).Child("shareID"))...)
			}
			for i, d := range in.new.status.Devices {
				errs = add(errs, validateShareID(d.ShareID, devicesPath.Index(i).Child("shareID"))...)
			}
			return errs
		},
	},
}

// checkReportedDevicesAreAllocated accepts the status of a device that was not allocated before the write either. An
// API server removes such a status together with the allocation, whichever client writes. A custom resource keeps it:
// if it were rejected, a client that does not know the status of devices could not allocate the claim again.
func checkReportedDevicesAreAllocated(in *input) (errs field.ErrorList) {
	devices := in.new.status.Devices
	if len(devices) == 0 {
		return nil
	}
	allocated, allocatedBefore := in.new.allocatedIDs(), in.old.allocatedIDs()
	reportedBefore := make(map[deviceID]bool, len(in.old.status.Devices))
	for i := range in.old.status.Devices {
		reportedBefore[idOfStatus(&in.old.status.Devices[i])] = true
	}
	for i := range devices {
		id := idOfStatus(&devices[i])
		isKept := reportedBefore[id] && !allocatedBefore[id]
		if !allocated[id] && !isKept {
			errs = add(errs, field.Invalid(devicesPath.Index(i), field.OmitValueType{},
				"must be an allocated device in the claim"))
		}
	}
	return errs
}

// conditions returns the conditions of all devices, with their paths.
func (in *input) conditions() iter.Seq2[*field.Path, *metav1.Condition] {
	return func(yield func(*field.Path, *metav1.Condition) bool) {
		for i := range in.new.status.Devices {
			conditions := in.new.status.Devices[i].Conditions
			for j := range conditions {
				if !yield(devicesPath.Index(i).Child("conditions").Index(j), &conditions[j]) {
					return
				}
			}
		}
	}
}

func checkConditionsAreUnique(in *input) (errs field.ErrorList) {
	for i, d := range in.new.status.Devices {
		for j := range duplicatesBy(d.Conditions, func(c *metav1.Condition) string { return c.Type }) {
			path := devicesPath.Index(i).Child("conditions").Index(j)
			if !in.release.reportsDuplicateConditionsAtItem() {
				path = path.Child("type")
			}
			errs = add(errs, field.Duplicate(path, nameValue(d.Conditions[j].Type)))
		}
	}
	return errs
}

// Limits of a condition, in bytes.
const (
	maxConditionReason  = 1 << 10
	maxConditionMessage = 32 << 10
)

// validateCondition has the checks of metav1.ValidateConditions. It replaces that function, whose errors contain the
// invalid value.
func (in *input) validateCondition(c *metav1.Condition, path *field.Path) (errs field.ErrorList) {
	if c.Type == "" && in.release.requiresPartsOfConditions() {
		errs = append(errs, field.Required(path.Child("type"), ""))
	} else {
		errs = append(errs, validateLabelName(c.Type, path.Child("type"))...)
	}
	if c.Status == "" && in.release.requiresPartsOfConditions() {
		errs = append(errs, field.Required(path.Child("status"), ""))
	} else {
		errs = append(errs, validateEnum(c.Status, path.Child("status"),
			metav1.ConditionFalse, metav1.ConditionTrue, metav1.ConditionUnknown)...)
	}
	if c.ObservedGeneration < 0 {
		errs = append(errs, field.Invalid(path.Child("observedGeneration"), c.ObservedGeneration,
			"must be greater than or equal to zero"))
	}
	if c.LastTransitionTime.IsZero() {
		errs = append(errs, field.Required(path.Child("lastTransitionTime"), ""))
	}
	if c.Reason == "" {
		errs = append(errs, field.Required(path.Child("reason"), ""))
	} else {
		errs = append(errs, invalidName(path.Child("reason"), c.Reason,
			metav1validation.IsValidConditionReason(c.Reason)...)...)
	}
	if len(c.Reason) > maxConditionReason {
		errs = append(errs, field.TooLong(path.Child("reason"), "", maxConditionReason))
	}
	if len(c.Message) > maxConditionMessage {
		errs = append(errs, field.TooLong(path.Child("message"), "", maxConditionMessage))
	}
	return errs
}

// validateShareID rejects an ID that is not a UUID in the form of RFC 4122, with hexadecimal digits in lower case. It
// does not return the error of the API machinery, which quotes an ID of any length.
func validateShareID(id *string, path *field.Path) field.ErrorList {
	if id == nil || len(validate.UUID(context.Background(), operation.Operation{}, nil, id, nil)) == 0 {
		return nil
	}
	return invalidName(path, *id,
		"must be a UUID of 36 characters in lower case, xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx")
}
