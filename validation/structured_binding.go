package validation

import (
	"k8s.io/apimachinery/pkg/util/validation/field"

	v1 "github.com/claimbridge/claimbridge/api/v1"
)

// Binding conditions came with 1.34, but up to 1.35 their feature gate is closed: an allocation that did not have them before
// cannot get any, and one that has is not looked at.

// conditionList of a result, with its place.
type conditionList struct {
	conditions []string
	at         func() *field.Path
}

// conditionLists of a result: what has to be true before a pod is bound, and what fails it.
func conditionLists(i int, r *v1.DeviceRequestAllocationResult) [2]conditionList {
	return [2]conditionList{
		{r.BindingConditions, resultField(i, "bindingConditions")},
		{r.BindingFailureConditions, resultField(i, "bindingFailureConditions")},
	}
}

// bindingSource is where all of their rules are from.
const bindingSource = "Kubernetes 1.36+ DT17"

var bindingConditionsAtMost4 = ofEachResult("binding-conditions-at-most-4", "Binding waits for at most 4 conditions of a device, and fails by at most 4.",
	bindingSource, func(_ *write, i int, r *v1.DeviceRequestAllocationResult, refuse refuse) {
		for _, list := range conditionLists(i, r) {
			if n := len(list.conditions); n > v1.BindingConditionsMaxSize {
				refuse(field.TooMany(list.at(), n, v1.BindingConditionsMaxSize))
			}
		}
	})

var bindingConditionIsLabelName = ofEachResult("binding-condition-is-label-name", "A condition that binding waits for, or fails by, is named like a label.",
	bindingSource, func(w *write, i int, r *v1.DeviceRequestAllocationResult, refuse refuse) {
		for _, list := range conditionLists(i, r) {
			for k, condition := range judged(w, list.conditions, v1.BindingConditionsMaxSize) {
				checkLabelName(condition, func() *field.Path { return list.at().Index(k) }, refuse)
			}
		}
	})

var bindingConditionsAreUnique = ofEachResult("binding-conditions-are-unique", "No condition is there twice, nor both waited for and a failure.",
	bindingSource, func(_ *write, i int, r *v1.DeviceRequestAllocationResult, refuse refuse) {
		for _, list := range conditionLists(i, r) {
			for k := range repeated(list.conditions) {
				refuse(field.Duplicate(list.at().Index(k), shown(list.conditions[k])))
			}
		}
		waited := make(map[string]bool, len(r.BindingConditions))
		for _, condition := range r.BindingConditions {
			waited[condition] = true
		}
		for k, condition := range r.BindingFailureConditions {
			if waited[condition] {
				refuse(invalidName(resultField(i, "bindingFailureConditions")().Index(k), condition,
					"bindingFailureConditions must not overlap with bindingConditions"))
			}
		}
	})

var bindingConditionsComeTogether = ofEachResult("binding-conditions-come-together", "Where binding waits for conditions there are some by which it fails, and the other way round.",
	bindingSource, func(_ *write, i int, r *v1.DeviceRequestAllocationResult, refuse refuse) {
		lists := conditionLists(i, r)
		for k, list := range lists {
			if len(list.conditions) == 0 && len(lists[1-k].conditions) > 0 {
				refuse(field.Invalid(list.at(), field.OmitValueType{}, "bindingConditions and bindingFailureConditions are only used together"))
			}
		}
	})
