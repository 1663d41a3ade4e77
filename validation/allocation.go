package validation

import (
	"k8s.io/apimachinery/pkg/util/sets"
	"k8s.io/apimachinery/pkg/util/validation/field"

	v1 "github.com/claimbridge/claimbridge/api/v1"
	"github.com/claimbridge/claimbridge/api/v1alpha2"
)

// allocationRules are about status.allocation of versions with devices, without its node selector, and about changes of
// an allocation in all versions.
var allocationRules = []Rule{
	{
		Name:       "results-at-most-32",
		Reason:     "An allocation has at most 32 devices. It can have none, or the same device several times.",
		Source:     "Kubernetes 1.31+ DT10",
		Since:      release1_31,
		operations: onStatus,
		check: func(in *input) field.ErrorList {
			return in.validateLength(len(in.validatedAllocation().Results), v1.AllocationResultsMaxSize, resultsPath)
		},
	},
	{
		Name:       "result-driver-is-valid",
		Reason:     "An allocated device has the name of its driver, with which the kubelet finds the plugin.",
		Source:     "Kubernetes 1.31+ DT12",
		Since:      release1_31,
		operations: onStatus,
		check: func(in *input) (errs field.ErrorList) {
			for i, r := range in.allocatedResults() {
				errs = add(errs, in.validateDriverName(r.Driver, resultsPath.Index(i).Child("driver"))...)
			}
			return errs
		},
	},
	{
		Name: "result-pool-is-valid",
		Reason: "The pool of an allocated device consists of DNS subdomains that are separated by slashes, and has " +
			"at most 253 bytes.",
		Source:     "Kubernetes 1.31+ DT13",
		Since:      release1_31,
		operations: onStatus,
		check: func(in *input) (errs field.ErrorList) {
			for i, r := range in.allocatedResults() {
				errs = add(errs, validatePoolName(r.Pool, resultsPath.Index(i).Child("pool"))...)
			}
			return errs
		},
	},
	{
		Name:       "result-device-is-label",
		Reason:     "The name of an allocated device is a DNS label.",
		Source:     "Kubernetes 1.31+ DT14",
		Since:      release1_31,
		operations: onStatus,
		check: func(in *input) (errs field.ErrorList) {
			for i, r := range in.allocatedResults() {
				errs = add(errs, validateLabel(r.Device, resultsPath.Index(i).Child("device"))...)
			}
			return errs
		},
	},
	// 1.34 added binding conditions. The API servers of 1.34 and 1.35 drop them by default, because their feature gate
	// is disabled.
	{
		Name:       "binding-conditions-at-most-4",
		Reason:     "A device has at most 4 binding conditions and at most 4 binding failure conditions.",
		Source:     "Kubernetes 1.36+ DT17",
		Since:      release1_36,
		operations: onStatus,
		check:      checkBindingConditionsAtMost4,
	},
	{
		Name:       "binding-condition-is-label-name",
		Reason:     "The name of a binding condition or a binding failure condition has the form of a label key.",
		Source:     "Kubernetes 1.36+ DT17",
		Since:      release1_36,
		operations: onStatus,
		check:      checkBindingConditionNames,
	},
	{
		Name:       "binding-conditions-are-unique",
		Reason:     "A condition occurs only once, either in the binding conditions or in the binding failure conditions.",
		Source:     "Kubernetes 1.36+ DT17",
		Since:      release1_36,
		operations: onStatus,
		check:      checkBindingConditionsAreUnique,
	},
	{
		Name:       "binding-conditions-come-together",
		Reason:     "A device has both binding conditions and binding failure conditions, or neither.",
		Source:     "Kubernetes 1.36+ DT17",
		Since:      release1_36,
		operations: onStatus,
		check:      checkBindingConditionsComeTogether,
	},
	{
		Name: "allocated-config-at-most-64",
		Reason: "An allocation has at most 64 entries of configuration: 32 of the class and 32 of the claim. In " +
			"v1beta1 and later, entries of claimbridge.dev don't count.",
		Source:     "Kubernetes 1.31+ DT19",
		Since:      release1_31,
		operations: onStatus,
		check: func(in *input) field.ErrorList {
			return in.validateLength(in.countAllocatedConfig(), v1.AllocationConfigMaxSize, allocatedConfigPath)
		},
	},
	{
		Name:       "allocated-config-source-is-known",
		Reason:     "The source of an entry of configuration in an allocation is FromClass or FromClaim.",
		Source:     "Kubernetes 1.31+ DT20",
		Since:      release1_31,
		operations: onStatus,
		check:      checkAllocatedConfigSources,
	},
	{
		Name:       "allocation-controller-is-driver-name",
		Reason:     "The controller of an allocation, if it is set, is a driver's name.",
		Source:     "Kubernetes 1.31 DT23",
		Since:      release1_31,
		Until:      release1_31,
		operations: onStatus,
		check: func(in *input) field.ErrorList {
			if in.new.allocationController == "" {
				return nil
			}
			return in.validateDriverName(in.new.allocationController, allocationPath.Child("controller"))
		},
	},
	{
		// 1.26 has no such rule.
		Name:         "allocation-is-immutable",
		Reason:       "An allocation can be set and removed, but not changed.",
		Source:       "Kubernetes 1.30 CT20, 1.31+ DT7",
		Since:        release1_30,
		operations:   onStatus,
		isTransition: true,
		check: func(in *input) field.ErrorList {
			if !in.old.isAllocated || !in.new.isAllocated || in.hasSameAllocation() {
				return nil
			}
			return field.ErrorList{in.changedAllocation()}
		},
	},
}

// bindingConditions are the binding conditions of a result, with the name of their field.
type bindingConditions struct {
	field      string
	conditions []string
}

func bindingConditionsOf(r *v1.DeviceRequestAllocationResult) [2]bindingConditions {
	return [2]bindingConditions{
		{"bindingConditions", r.BindingConditions},
		{"bindingFailureConditions", r.BindingFailureConditions},
	}
}

func checkBindingConditionsAtMost4(in *input) (errs field.ErrorList) {
	for i, r := range in.allocatedResults() {
		for _, list := range bindingConditionsOf(&r) {
			path := resultsPath.Index(i).Child(list.field)
			errs = add(errs, in.validateLength(len(list.conditions), v1.BindingConditionsMaxSize, path)...)
		}
	}
	return errs
}

func checkBindingConditionNames(in *input) (errs field.ErrorList) {
	for i, r := range in.allocatedResults() {
		for _, list := range bindingConditionsOf(&r) {
			for k, condition := range validatedItems(in, list.conditions, v1.BindingConditionsMaxSize) {
				errs = add(errs, validateLabelName(condition, resultsPath.Index(i).Child(list.field).Index(k))...)
			}
		}
	}
	return errs
}

func checkBindingConditionsAreUnique(in *input) (errs field.ErrorList) {
	for i, r := range in.allocatedResults() {
		for _, list := range bindingConditionsOf(&r) {
			for k := range duplicates(list.conditions) {
				path := resultsPath.Index(i).Child(list.field).Index(k)
				errs = add(errs, field.Duplicate(path, nameValue(list.conditions[k])))
			}
		}
		conditions := sets.New(r.BindingConditions...)
		for k, condition := range r.BindingFailureConditions {
			if conditions.Has(condition) {
				path := resultsPath.Index(i).Child("bindingFailureConditions").Index(k)
				errs = add(errs, invalidName(path, condition,
					"bindingFailureConditions must not overlap with bindingConditions")...)
			}
		}
	}
	return errs
}

func checkBindingConditionsComeTogether(in *input) (errs field.ErrorList) {
	for i, r := range in.allocatedResults() {
		lists := bindingConditionsOf(&r)
		for k, list := range lists {
			if len(list.conditions) == 0 && len(lists[1-k].conditions) > 0 {
				errs = add(errs, field.Invalid(resultsPath.Index(i).Child(list.field), field.OmitValueType{},
					"bindingConditions and bindingFailureConditions are only used together"))
			}
		}
	}
	return errs
}

func checkAllocatedConfigSources(in *input) (errs field.ErrorList) {
	for i, c := range in.allocatedConfig() {
		path := allocatedConfigPath.Index(i).Child("source")
		if c.Source == "" {
			errs = add(errs, field.Required(path, ""))
			continue
		}
		errs = add(errs,
			validateEnum(c.Source, path, v1.AllocationConfigSourceClaim, v1.AllocationConfigSourceClass)...)
	}
	return errs
}

// changedAllocation returns the error for a changed allocation. For a client of Kubernetes 1.27 to 1.29 it names the
// cause: v1alpha2 of these releases has no structuredData, so every status that the client writes lacks it.
func (in *input) changedAllocation() *field.Error {
	err := immutable(allocationPath)
	if in.old.classic != nil && lacksOnlyStructuredData(in.old.classic.allocation, in.new.classic.allocation) {
		err.Detail += ": only structuredData is missing from the resource handles, which clients of Kubernetes " +
			"1.27 to 1.29 do not know and drop; write with a JSON patch or a merge patch, or with a client of 1.30"
	}
	return err
}

// lacksOnlyStructuredData reports whether two allocations of v1alpha2 differ only in structured data that the new one
// lacks.
func lacksOnlyStructuredData(before, after any) bool {
	old, _ := before.(*v1alpha2.AllocationResult)
	current, _ := after.(*v1alpha2.AllocationResult)
	if old == nil || current == nil || len(old.ResourceHandles) != len(current.ResourceHandles) {
		return false
	}
	reduced := old.DeepCopy()
	for i := range reduced.ResourceHandles {
		if current.ResourceHandles[i].StructuredData == nil {
			reduced.ResourceHandles[i].StructuredData = nil
		}
	}
	return semantic.DeepEqual(reduced, current)
}
