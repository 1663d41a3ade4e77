package validation

import (
	"bytes"
	"maps"
	"slices"

	"k8s.io/apimachinery/pkg/api/equality"
	apiconversion "k8s.io/apimachinery/pkg/conversion"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/claimbridge/claimbridge/conversion"
)

// semantic compares typed values as upstream does, but parameters of drivers by what they say,
// where upstream compares their bytes. An API server rewrites both objects of an update, members
// in order, before it sends them to a webhook. Two files may spell the same in two ways.
var semantic = func() apiconversion.Equalities {
	equalities := apiconversion.EqualitiesOrDie(sameParameters)
	maps.Copy(equalities.Equalities, equality.Semantic.Equalities)
	return equalities
}()

func sameParameters(a, b runtime.RawExtension) bool {
	if bytes.Equal(a.Raw, b.Raw) {
		return true
	}
	return len(a.Raw) > 0 && len(b.Raw) > 0 && conversion.Equal(asParameters(a.Raw), asParameters(b.Raw))
}

// asParameters is an object with parameters around a value: inside them also counts what says nothing.
func asParameters(raw []byte) []byte {
	return slices.Concat([]byte(`{"parameters":{"value":`), raw, []byte(`}}`))
}

// same reports whether a part of a claim, a spec or a status, is the same on both sides to the API
// server. An absent one is like an empty one.
func same(a, b any) bool {
	return semantic.DeepEqual(a, b) || conversion.Equal(textOf(a), textOf(b))
}

// textOf a part as JSON.
func textOf(part any) []byte {
	if part == nil {
		return []byte("{}")
	}
	return conversion.Encode(part)
}

// sameSpec looks at the types only where the texts differ. An API server writes both objects anew before it sends them.
func sameSpec(w *write) bool {
	return w.old.opened.SameSpec(w.new.opened) ||
		semantic.DeepEqual(w.old.classic, w.new.classic) && semantic.DeepEqual(w.old.structured, w.new.structured) &&
			w.old.controller == w.new.controller && semantic.DeepEqual(w.old.templateMetadata, w.new.templateMetadata)
}

func sameAllocation(w *write) bool {
	if w.old.classicStatus != nil {
		return semantic.DeepEqual(w.old.classicStatus.allocation, w.new.classicStatus.allocation)
	}
	return semantic.DeepEqual(w.old.allocation, w.new.allocation) &&
		w.old.allocationController == w.new.allocationController
}
