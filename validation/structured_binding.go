package validation

import (
	metav1validation "k8s.io/apimachinery/pkg/apis/meta/v1/validation"
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

var bindingConditionsAtMost4 = Rule{
	Name:   "binding-conditions-at-most-4",
	Reason: "Binding waits for at most 4 conditions of a device, and fails by at most 4.",
	Source: "Kubernetes 1.36 to 1.37 DT17",
	asked:  onStatus,
	since:  release1_36,
	check: func(w *write, refuse refuse) {
		for i := range w.results() {
			for _, list := range conditionLists(i, &w.results()[i]) {
				if n := len(list.conditions); n > v1.BindingConditionsMaxSize {
					refuse(field.TooMany(list.at(), n, v1.BindingConditionsMaxSize))
				}
			}
		}
	},
}

var bindingConditionIsLabelName = Rule{
	Name:   "binding-condition-is-label-name",
	Reason: "A condition that binding waits for, or fails by, is named like a label.",
	Source: "Kubernetes 1.36 to 1.37 DT17",
	asked:  onStatus,
	since:  release1_36,
	check: func(w *write, refuse refuse) {
		for i := range w.results() {
			for _, list := range conditionLists(i, &w.results()[i]) {
				for k, condition := range judged(w, list.conditions, v1.BindingConditionsMaxSize) {
					for _, e := range metav1validation.ValidateLabelName(condition, nil) {
						refuse(invalidName(list.at().Index(k), condition, e.Detail))
					}
				}
			}
		}
	},
}

var bindingConditionsAreUnique = Rule{
	Name:   "binding-conditions-are-unique",
	Reason: "No condition is there twice, nor both waited for and a failure.",
	Source: "Kubernetes 1.36 to 1.37 DT17",
	asked:  onStatus,
	since:  release1_36,
	check: func(w *write, refuse refuse) {
		for i := range w.results() {
			r := &w.results()[i]
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
		}
	},
}

var bindingConditionsComeTogether = Rule{
	Name:   "binding-conditions-come-together",
	Reason: "Where binding waits for conditions there are some by which it fails, and the other way round.",
	Source: "Kubernetes 1.36 to 1.37 DT17",
	asked:  onStatus,
	since:  release1_36,
	check: func(w *write, refuse refuse) {
		for i := range w.results() {
			lists := conditionLists(i, &w.results()[i])
			for k, list := range lists {
				if len(list.conditions) == 0 && len(lists[1-k].conditions) > 0 {
					refuse(field.Invalid(list.at(), field.OmitValueType{}, "bindingConditions and bindingFailureConditions are only used together"))
				}
			}
		}
	},
}
