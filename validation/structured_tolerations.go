package validation

import (
	"iter"
	"slices"

	"k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"

	v1 "github.com/claimbridge/claimbridge/api/v1"
)

// toleration with the places of its errors: where the checks of the release name it, and where the declarative ones of 1.37
// do. Either is nil when they do not look.
type toleration struct {
	*v1.DeviceToleration
	handwritten, declared func() *field.Path
}

// place of an error about a field that is checked both ways.
func (t toleration) place(name string) *field.Path {
	if t.declared != nil {
		return t.declared().Child(name)
	}
	return t.handwritten().Child(name)
}

// tolerations that this write is about: those of the spec, or on a status write those of results, which 1.37 checks.
func (w *write) tolerations() iter.Seq[toleration] {
	return func(yield func(toleration) bool) {
		if w.op == UpdateStatus {
			for i, result := range w.results() {
				for k := range result.Tolerations {
					at := func() *field.Path { return resultField(i, "tolerations")().Index(k) }
					if w.release >= release1_37 && !yield(toleration{&result.Tolerations[k], at, nil}) {
						return
					}
				}
			}
			return
		}
		for _, x := range w.wanted() {
			for k := range x.Tolerations {
				t := toleration{DeviceToleration: &x.Tolerations[k]}
				if x.handwritten {
					t.handwritten = func() *field.Path { return w.wantedField(x, "tolerations").Index(k) }
				}
				if x.declares(func(old *v1.DeviceSubRequest) bool { return semantic.DeepEqual(old.Tolerations, x.Tolerations) }) {
					t.declared = func() *field.Path { return w.declaredField(x, "tolerations").Index(k) }
				}
				if (t.handwritten != nil || t.declared != nil) && !yield(t) {
					return
				}
			}
		}
	}
}

// ofEachToleration is a rule about one toleration, whatever the others are. number is that of upstream's check.
func ofEachToleration(name, reason, number string, check func(w *write, t toleration, refuse refuse)) Rule {
	return Rule{
		Name: name, Reason: reason, Source: "Kubernetes 1.33+ " + number,
		asked: onAny, ofLaterFields: true,
		check: func(w *write, refuse refuse) {
			for t := range w.tolerations() {
				check(w, t, refuse)
			}
		},
	}
}

var tolerationKeyIsLabelName = ofEachToleration("toleration-key-is-label-name", "The key of a toleration, when set, is a label's name.",
	"DS18", func(_ *write, t toleration, refuse refuse) {
		if t.Key != "" {
			checkLabelName(t.Key, func() *field.Path { return t.place("key") }, refuse)
		}
	})

var tolerationValueFitsOperator = ofEachToleration("toleration-value-fits-operator",
	"A toleration of all values names none; one of a single value names a label's value.",
	"DS19", func(_ *write, t toleration, refuse refuse) {
		switch {
		case t.handwritten == nil:
		case t.Operator == v1.DeviceTolerationOpExists && t.Value != "":
			refuse(field.Invalid(t.handwritten().Child("value"), shown(t.Value), "must be empty for operator `Exists`"))
		case t.Operator == v1.DeviceTolerationOpEqual:
			for _, problem := range validation.IsValidLabelValue(t.Value) {
				refuse(invalidName(t.handwritten().Child("value"), t.Value, problem))
			}
		}
	})

// tolerationOperatorIsKnown: an empty operator has become the default before.
var tolerationOperatorIsKnown = ofEachToleration("toleration-operator-is-known", "The operator of a toleration is Equal, which is the default, or Exists.",
	"DS20", func(_ *write, t toleration, refuse refuse) {
		if t.Operator != v1.DeviceTolerationOpExists && t.Operator != v1.DeviceTolerationOpEqual {
			refuse(field.NotSupported(t.place("operator"), shown(string(t.Operator)),
				[]v1.DeviceTolerationOperator{v1.DeviceTolerationOpEqual, v1.DeviceTolerationOpExists}))
		}
	})

var tolerationEffectIsKnown = ofEachToleration("toleration-effect-is-known", "The effect of a toleration, when set, is NoSchedule or NoExecute, from 1.35 on also None.",
	"DS21", func(w *write, t toleration, refuse refuse) {
		known := []v1.DeviceTaintEffect{v1.DeviceTaintEffectNoExecute, v1.DeviceTaintEffectNoSchedule}
		if w.release >= release1_35 {
			known = append(known, v1.DeviceTaintEffectNone)
		}
		if t.Effect != "" && !slices.Contains(known, t.Effect) {
			refuse(field.NotSupported(t.place("effect"), shown(string(t.Effect)), known))
		}
	})
