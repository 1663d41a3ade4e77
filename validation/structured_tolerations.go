package validation

import (
	"k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"

	v1 "github.com/claimbridge/claimbridge/api/v1"
)

// toleration of a spec or of a result.
type toleration struct {
	*v1.DeviceToleration
	// handwritten is its place to the checks of the release that are not declarative, which may not look.
	handwritten place
	looks       bool
}

// tolerations that this write is about: those of the spec, or on a status write those of results,
// which 1.37 checks. Their place is where the declarative checks name them, when they look.
var tolerations = items[toleration]{asked: onAny, ofLaterFields: true, each: func(w *write, check check[toleration],
	refuse refuser,
) {
	if w.op == UpdateStatus && w.release >= release1_37 {
		results.each(w, func(w *write, r *v1.DeviceRequestAllocationResult, at place, refuse refuser) {
			for k := range r.Tolerations {
				at := at.child("tolerations").index(k)
				check(w, toleration{&r.Tolerations[k], at, true}, at, refuse)
			}
		}, refuse)
	}
	if w.op == UpdateStatus {
		return
	}
	for i := range w.wanted() {
		x := &w.all[i]
		at, looked := w.covered(x, func(old *v1.DeviceSubRequest) bool {
			return semantic.DeepEqual(old.Tolerations, x.Tolerations)
		})
		for k := range x.Tolerations {
			if looked {
				t := toleration{&x.Tolerations[k], placeOf(x.path).child("tolerations").index(k), x.handwritten}
				check(w, t, at.child("tolerations").index(k), refuse)
			}
		}
	}
}}

var tolerationKeyIsLabelName = tolerations.rule("toleration-key-is-label-name",
	"The key of a toleration, when set, is a label's name.",
	"Kubernetes 1.33+ DS18", func(_ *write, t toleration, at place, refuse refuser) {
		if t.Key != "" {
			checkLabelName(t.Key, at.child("key"), refuse)
		}
	})

var tolerationValueFitsOperator = tolerations.rule("toleration-value-fits-operator",
	"A toleration of all values names none; one of a single value names a label's value.",
	"Kubernetes 1.33+ DS19", func(_ *write, t toleration, _ place, refuse refuser) {
		switch {
		case !t.looks:
		case t.Operator == v1.DeviceTolerationOpExists && t.Value != "":
			refuse(field.Invalid(t.handwritten.path().Child("value"), shown(t.Value),
				"must be empty for operator `Exists`"))
		case t.Operator == v1.DeviceTolerationOpEqual:
			refuseName(t.Value, validation.IsValidLabelValue(t.Value), t.handwritten.child("value"), refuse)
		}
	})

// tolerationOperatorIsKnown: an empty operator has become the default before.
var tolerationOperatorIsKnown = tolerations.rule("toleration-operator-is-known",
	"The operator of a toleration is Equal, which is the default, or Exists.",
	"Kubernetes 1.33+ DS20", func(_ *write, t toleration, at place, refuse refuser) {
		known := []v1.DeviceTolerationOperator{v1.DeviceTolerationOpEqual, v1.DeviceTolerationOpExists}
		refuseUnknown(t.Operator, known, at.child("operator"), refuse)
	})

var tolerationEffectIsKnown = tolerations.rule("toleration-effect-is-known",
	"The effect of a toleration, when set, is NoSchedule or NoExecute, from 1.35 on also None.",
	"Kubernetes 1.33+ DS21", func(w *write, t toleration, at place, refuse refuser) {
		known := []v1.DeviceTaintEffect{v1.DeviceTaintEffectNoExecute, v1.DeviceTaintEffectNoSchedule}
		if w.release >= release1_35 {
			known = append(known, v1.DeviceTaintEffectNone)
		}
		if t.Effect != "" {
			refuseUnknown(t.Effect, known, at.child("effect"), refuse)
		}
	})
