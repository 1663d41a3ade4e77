package validation

import (
	"bytes"
	"maps"
	"slices"

	"k8s.io/apimachinery/pkg/api/equality"
	apiconversion "k8s.io/apimachinery/pkg/conversion"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/claimbridge/claimbridge/api/v1alpha2"
	"github.com/claimbridge/claimbridge/internal/conversion"
	"github.com/claimbridge/claimbridge/internal/objectjson"
)

// semantic compares typed values as upstream does, but compares parameters of drivers as JSON, where upstream compares
// their bytes. An API server encodes both objects of an update again, with sorted members, before it sends them to a
// webhook. Two files may have the same value in two encodings.
var semantic = func() apiconversion.Equalities {
	equalities := apiconversion.EqualitiesOrDie(equalParameters)
	maps.Copy(equalities.Equalities, equality.Semantic.Equalities)
	return equalities
}()

func equalParameters(a, b runtime.RawExtension) bool {
	if bytes.Equal(a.Raw, b.Raw) {
		return true
	}
	return len(a.Raw) > 0 && len(b.Raw) > 0 && conversion.Equal(asParameters(a.Raw), asParameters(b.Raw))
}

// asParameters returns an object with a value as parameters, where empty values count.
func asParameters(raw []byte) []byte {
	return slices.Concat([]byte(`{"parameters":{"value":`), raw, []byte(`}}`))
}

// isEqualPart reports whether two specs, or two statuses, are equal to an API server. An absent one equals an empty
// one.
func isEqualPart(a, b any) bool {
	return semantic.DeepEqual(a, b) || conversion.Equal(encodePart(a), encodePart(b))
}

// encodePart returns a part as JSON.
func encodePart(part any) []byte {
	if part == nil {
		return []byte("{}")
	}
	return objectjson.Marshal(part)
}

// hasSameSpec reports whether the old and the new spec are equal. It compares typed values only if the texts differ,
// which is rare for equal specs: an API server encodes both objects again before it sends them.
func (in *input) hasSameSpec() bool {
	return in.old.parsed.HasSameSpec(in.new.parsed) ||
		semantic.DeepEqual(in.old.classicSpec(), in.new.classicSpec()) &&
			semantic.DeepEqual(in.old.spec, in.new.spec) &&
			in.old.controller == in.new.controller &&
			semantic.DeepEqual(in.old.templateMetadata, in.new.templateMetadata)
}

func (c *claim) classicSpec() *v1alpha2.ResourceClaimSpec {
	if c.classic == nil {
		return nil
	}
	return &c.classic.spec
}

// hasSameAllocation reports whether the old and the new allocation are equal.
func (in *input) hasSameAllocation() bool {
	if in.old.classic != nil {
		return semantic.DeepEqual(in.old.classic.allocation, in.new.classic.allocation)
	}
	return semantic.DeepEqual(in.old.status.Allocation, in.new.status.Allocation) &&
		in.old.allocationController == in.new.allocationController
}
