package v1beta1

import (
	"slices"

	v1 "github.com/claimbridge/claimbridge/api/v1"
)

// tolerationsDown leaves out those of the effect None, which 1.35 added: it does nothing, and a rule of 1.33 refuses it. The
// copy may be changed.
func tolerationsDown(new []v1.DeviceToleration) []v1.DeviceToleration {
	if !slices.ContainsFunc(new, isLaterToleration) {
		return slices.Clone(new)
	}
	var old []v1.DeviceToleration // nil rather than empty
	for _, t := range new {
		if !isLaterToleration(t) {
			old = append(old, t)
		}
	}
	return old
}

func isLaterToleration(t v1.DeviceToleration) bool { return t.Effect == v1.DeviceTaintEffectNone }
