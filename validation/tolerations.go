package validation

import (
	"iter"

	"k8s.io/apimachinery/pkg/util/validation/field"

	v1 "github.com/claimbridge/claimbridge/api/v1"
)

// tolerationRules are about the tolerations of requests, and of results in releases that validate those.
var tolerationRules = []Rule{
	{
		Name:              "toleration-key-is-label-name",
		Reason:            "The key of a toleration, if it is set, has the form of a label key.",
		Source:            "Kubernetes 1.33+ DS18",
		Since:             release1_33,
		coversLaterFields: true,
		operations:        onAny,
		check: func(in *input) (errs field.ErrorList) {
			for path, t := range in.tolerations(in.declarativeSubRequests) {
				if t.Key != "" {
					errs = add(errs, validateLabelName(t.Key, path.Child("key"))...)
				}
			}
			return errs
		},
	},
	{
		Name: "toleration-value-fits-operator",
		Reason: "A toleration with the operator Exists has no value. With Equal, its value has the form of a " +
			"label value.",
		Source:            "Kubernetes 1.33+ DS19",
		Since:             release1_33,
		coversLaterFields: true,
		operations:        onAny,
		check:             checkTolerationValues,
	},
	{
		Name:              "toleration-operator-is-known",
		Reason:            "The operator of a toleration is Equal, which is the default, or Exists.",
		Source:            "Kubernetes 1.33+ DS20",
		Since:             release1_33,
		coversLaterFields: true,
		operations:        onAny,
		check: func(in *input) (errs field.ErrorList) {
			for path, t := range in.tolerations(in.declarativeSubRequests) {
				errs = add(errs, validateEnum(t.Operator, path.Child("operator"),
					v1.DeviceTolerationOpEqual, v1.DeviceTolerationOpExists)...)
			}
			return errs
		},
	},
	{
		Name:              "toleration-effect-is-known",
		Reason:            "The effect of a toleration, if it is set, is NoSchedule, NoExecute or, since 1.35, None.",
		Source:            "Kubernetes 1.33+ DS21",
		Since:             release1_33,
		coversLaterFields: true,
		operations:        onAny,
		check:             checkTolerationEffects,
	},
}

// tolerations returns the tolerations that are validated, with their paths: those of subrequests, or on UpdateStatus
// those of results.
func (in *input) tolerations(subRequests []subRequest) iter.Seq2[*field.Path, *v1.DeviceToleration] {
	return func(yield func(*field.Path, *v1.DeviceToleration) bool) {
		for _, r := range subRequests {
			for i := range r.Tolerations {
				if !yield(r.path.Child("tolerations").Index(i), &r.Tolerations[i]) {
					return
				}
			}
		}
		for i, r := range in.resultsWithTolerations() {
			for j := range r.Tolerations {
				if !yield(resultsPath.Index(i).Child("tolerations").Index(j), &r.Tolerations[j]) {
					return
				}
			}
		}
	}
}

// resultsWithTolerations returns the results whose tolerations are validated.
func (in *input) resultsWithTolerations() []v1.DeviceRequestAllocationResult {
	if in.operation != UpdateStatus || !in.release.validatesTolerationsOfResults() {
		return nil
	}
	return in.allocatedResults()
}

func checkTolerationValues(in *input) (errs field.ErrorList) {
	for path, t := range in.tolerations(in.subRequests) {
		switch {
		case t.Operator == v1.DeviceTolerationOpExists && t.Value != "":
			errs = add(errs,
				field.Invalid(path.Child("value"), nameValue(t.Value), "must be empty for operator `Exists`"))
		case t.Operator == v1.DeviceTolerationOpEqual:
			errs = add(errs, validateLabelValue(t.Value, path.Child("value"))...)
		}
	}
	return errs
}

func checkTolerationEffects(in *input) (errs field.ErrorList) {
	known := []v1.DeviceTaintEffect{v1.DeviceTaintEffectNoExecute, v1.DeviceTaintEffectNoSchedule}
	if in.release.hasEffectNone() {
		known = append(known, v1.DeviceTaintEffectNone)
	}
	for path, t := range in.tolerations(in.declarativeSubRequests) {
		if t.Effect != "" {
			errs = add(errs, validateEnum(t.Effect, path.Child("effect"), known...)...)
		}
	}
	return errs
}
