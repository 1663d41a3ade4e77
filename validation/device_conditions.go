package validation

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	metav1validation "k8s.io/apimachinery/pkg/apis/meta/v1/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"

	v1 "github.com/claimbridge/claimbridge/api/v1"
)

// conditions of devices, as reported.
var conditions = items[*metav1.Condition]{asked: onStatus, ofLaterFields: true, each: func(w *write,
	check check[*metav1.Condition], refuse refuser,
) {
	for i := range w.new.devices {
		checkList(w, w.new.devices[i].Conditions, placeOf(devicesPath).index(i).child("conditions"), check, refuse)
	}
}}

var reportedConditionsAtMost8 = reports.rule("reported-conditions-at-most-8",
	"Of a device at most 8 conditions are reported. Those of a longer list are looked at all the same.",
	"Kubernetes 1.32+ DT27", func(_ *write, d *v1.AllocatedDeviceStatus, at place, refuse refuser) {
		if n := len(d.Conditions); n > v1.AllocatedDeviceStatusMaxConditions {
			refuse(field.TooMany(at.path().Child("conditions"), n, v1.AllocatedDeviceStatusMaxConditions))
		}
	})

var reportedConditionsAreUnique = reports.rule("reported-conditions-are-unique",
	"Conditions are told apart by their types.",
	"Kubernetes 1.32+ DT28", func(w *write, d *v1.AllocatedDeviceStatus, at place, refuse refuser) {
		for k := range repeatedBy(d.Conditions, func(c *metav1.Condition) string { return c.Type }) {
			at := at.path().Child("conditions").Index(k)
			if w.release < release1_37 {
				at = at.Child("type")
			}
			refuse(field.Duplicate(at, shown(d.Conditions[k].Type)))
		}
	})

var conditionStatuses = []metav1.ConditionStatus{metav1.ConditionFalse, metav1.ConditionTrue, metav1.ConditionUnknown}

// Bounds of a condition, in bytes.
const (
	maxConditionReason  = 1 << 10
	maxConditionMessage = 32 << 10
)

// reportedConditionIsComplete makes the checks of metav1.ValidateConditions, whose errors would show what they refuse.
var reportedConditionIsComplete = conditions.rule("reported-condition-is-complete",
	"A condition has a type like a label's name, a status of True, False or Unknown, a reason of one word, and the "+
		"time of its last change.",
	"Kubernetes 1.32+ DT28", func(w *write, c *metav1.Condition, at place, refuse refuser) {
		if c.Type == "" && w.release >= release1_37 {
			refuse(field.Required(at.path().Child("type"), ""))
		} else {
			checkLabelName(c.Type, at.child("type"), refuse)
		}
		if c.Status == "" && w.release >= release1_37 {
			refuse(field.Required(at.path().Child("status"), ""))
		} else {
			refuseUnknown(c.Status, conditionStatuses, at.child("status"), refuse)
		}
		if c.ObservedGeneration < 0 {
			refuse(field.Invalid(at.path().Child("observedGeneration"), c.ObservedGeneration,
				"must be greater than or equal to zero"))
		}
		if c.LastTransitionTime.IsZero() {
			refuse(field.Required(at.path().Child("lastTransitionTime"), ""))
		}
		if c.Reason == "" {
			refuse(field.Required(at.path().Child("reason"), ""))
		} else {
			refuseName(c.Reason, metav1validation.IsValidConditionReason(c.Reason), at.child("reason"), refuse)
		}
		if len(c.Reason) > maxConditionReason {
			refuse(field.TooLong(at.path().Child("reason"), "", maxConditionReason))
		}
		if len(c.Message) > maxConditionMessage {
			refuse(field.TooLong(at.path().Child("message"), "", maxConditionMessage))
		}
	})
