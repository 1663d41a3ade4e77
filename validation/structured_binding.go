package validation

import (
	"k8s.io/apimachinery/pkg/util/sets"
	"k8s.io/apimachinery/pkg/util/validation/field"

	v1 "github.com/claimbridge/claimbridge/api/v1"
)

// Binding conditions came with 1.34, but up to 1.35 their feature gate is closed: an allocation
// that did not have them before cannot get any, and one that has is not looked at.

// conditionList of a result, with its place.
type conditionList struct {
	conditions []string
	at         place
}

// conditionLists of a result: what has to be true before a pod is bound, and what fails it.
func conditionLists(r *v1.DeviceRequestAllocationResult, at place) [2]conditionList {
	return [2]conditionList{
		{r.BindingConditions, at.child("bindingConditions")},
		{r.BindingFailureConditions, at.child("bindingFailureConditions")},
	}
}

// bindingSource is where all of their rules are from.
const bindingSource = "Kubernetes 1.36+ DT17"

var bindingConditionsAtMost4 = results.rule("binding-conditions-at-most-4",
	"Binding waits for at most 4 conditions of a device, and fails by at most 4.",
	bindingSource, func(_ *write, r *v1.DeviceRequestAllocationResult, at place, refuse refuser) {
		for _, list := range conditionLists(r, at) {
			if n := len(list.conditions); n > v1.BindingConditionsMaxSize {
				refuse(field.TooMany(list.at.path(), n, v1.BindingConditionsMaxSize))
			}
		}
	})

var bindingConditionIsLabelName = results.rule("binding-condition-is-label-name",
	"A condition that binding waits for, or fails by, is named like a label.",
	bindingSource, func(w *write, r *v1.DeviceRequestAllocationResult, at place, refuse refuser) {
		for _, list := range conditionLists(r, at) {
			for k, condition := range judged(w, list.conditions, v1.BindingConditionsMaxSize) {
				checkLabelName(condition, list.at.index(k), refuse)
			}
		}
	})

var bindingConditionsAreUnique = results.rule("binding-conditions-are-unique",
	"No condition is there twice, nor both waited for and a failure.",
	bindingSource, func(_ *write, r *v1.DeviceRequestAllocationResult, at place, refuse refuser) {
		for _, list := range conditionLists(r, at) {
			for k := range repeated(list.conditions) {
				refuse(field.Duplicate(list.at.path().Index(k), shown(list.conditions[k])))
			}
		}
		waited := sets.New(r.BindingConditions...)
		for k, condition := range r.BindingFailureConditions {
			if waited.Has(condition) {
				refuse(invalidName(at.path().Child("bindingFailureConditions").Index(k), condition,
					"bindingFailureConditions must not overlap with bindingConditions"))
			}
		}
	})

var bindingConditionsComeTogether = results.rule("binding-conditions-come-together",
	"Where binding waits for conditions there are some by which it fails, and the other way round.",
	bindingSource, func(_ *write, r *v1.DeviceRequestAllocationResult, at place, refuse refuser) {
		lists := conditionLists(r, at)
		for k, list := range lists {
			if len(list.conditions) == 0 && len(lists[1-k].conditions) > 0 {
				refuse(field.Invalid(list.at.path(), field.OmitValueType{},
					"bindingConditions and bindingFailureConditions are only used together"))
			}
		}
	})
