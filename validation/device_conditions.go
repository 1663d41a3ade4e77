package validation

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	metav1validation "k8s.io/apimachinery/pkg/apis/meta/v1/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"

	v1 "github.com/claimbridge/claimbridge/api/v1"
)

var reportedConditionsAtMost8 = ofEachReport("reported-conditions-at-most-8", "Of a device at most 8 conditions are reported. Those of a longer list are looked at all the same.",
	"DT27", func(_ *write, i int, d *v1.AllocatedDeviceStatus, refuse refuse) {
		if n := len(d.Conditions); n > v1.AllocatedDeviceStatusMaxConditions {
			refuse(field.TooMany(deviceField(i, "conditions")(), n, v1.AllocatedDeviceStatusMaxConditions))
		}
	})

var reportedConditionsAreUnique = ofEachReport("reported-conditions-are-unique", "Conditions are told apart by their types.",
	"DT28", func(w *write, i int, d *v1.AllocatedDeviceStatus, refuse refuse) {
		for k := range repeatedBy(d.Conditions, func(c *metav1.Condition) string { return c.Type }) {
			at := deviceField(i, "conditions")().Index(k)
			if w.release < release1_37 {
				at = at.Child("type")
			}
			refuse(field.Duplicate(at, shown(d.Conditions[k].Type)))
		}
	})

// Bounds of a condition, in bytes.
const (
	maxConditionReason  = 1 << 10
	maxConditionMessage = 32 << 10
)

// reportedConditionIsComplete makes the checks of metav1.ValidateConditions, whose errors would show what they refuse.
var reportedConditionIsComplete = ofEachReport("reported-condition-is-complete",
	"A condition has a type like a label's name, a status of True, False or Unknown, a reason of one word, and the time of its last change.",
	"DT28", func(w *write, i int, d *v1.AllocatedDeviceStatus, refuse refuse) {
		for k := range d.Conditions {
			w.checkCondition(&d.Conditions[k], func(name string) *field.Path {
				return deviceField(i, "conditions")().Index(k).Child(name)
			}, refuse)
		}
	})

func (w *write) checkCondition(c *metav1.Condition, at func(name string) *field.Path, refuse refuse) {
	if c.Type == "" && w.release >= release1_37 {
		refuse(field.Required(at("type"), ""))
	} else {
		checkLabelName(c.Type, func() *field.Path { return at("type") }, refuse)
	}
	switch c.Status {
	case metav1.ConditionTrue, metav1.ConditionFalse, metav1.ConditionUnknown:
	case "":
		if w.release >= release1_37 {
			refuse(field.Required(at("status"), ""))
			break
		}
		fallthrough
	default:
		refuse(field.NotSupported(at("status"), shown(string(c.Status)), []metav1.ConditionStatus{
			metav1.ConditionFalse, metav1.ConditionTrue, metav1.ConditionUnknown,
		}))
	}
	if c.ObservedGeneration < 0 {
		refuse(field.Invalid(at("observedGeneration"), c.ObservedGeneration, "must be greater than or equal to zero"))
	}
	if c.LastTransitionTime.IsZero() {
		refuse(field.Required(at("lastTransitionTime"), ""))
	}
	if c.Reason == "" {
		refuse(field.Required(at("reason"), ""))
	} else {
		for _, problem := range metav1validation.IsValidConditionReason(c.Reason) {
			refuse(invalidName(at("reason"), c.Reason, problem))
		}
	}
	if len(c.Reason) > maxConditionReason {
		refuse(field.TooLong(at("reason"), "", maxConditionReason))
	}
	if len(c.Message) > maxConditionMessage {
		refuse(field.TooLong(at("message"), "", maxConditionMessage))
	}
}
