package review

import (
	"bytes"
	"context"
	"fmt"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	jsonpatch "gopkg.in/evanphx/json-patch.v4"
	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/controller-runtime/pkg/webhook/admission"

	"github.com/claimbridge/claimbridge/conversion"
)

// An API server compares each error of a schema with each other one, before it looks at maxItems: 8,000 empty requests keep it busy for seconds,
// and as many as fit into a body for hours. It asks who sets the defaults before that, so what is big is judged there: what has more items than
// this, by its commas, or more bytes. As many errors, in so many bytes, cost it less than a tenth of a second.
const (
	manyItems = 128
	manyBytes = 16 << 10
	// manyQuantities are fewer, since an error has the name of its capacity, of any length.
	manyQuantities = 16
	// manyCapacities cost a schema 30 us each, with every write of their object.
	manyCapacities = 8192
)

func isBig(object []byte) bool { return len(object) > manyBytes || commas(object) > manyItems }

// written is what of an object a write of the main resource takes, and what it does not.
type written struct {
	Spec   jsontext.Value `json:"spec"`
	Status jsontext.Value `json:"status"`
}

func writtenOf(object runtime.RawExtension) (w written) {
	_ = json.Unmarshal(object.Raw, &w, leniently) // what is no JSON the judge will say
	return w
}

// judgeBig judges a big object as it will be with its defaults. A spec that is stored already an API server does not hold to the schema.
func (d *defaulter) judgeBig(ctx context.Context, request admission.Request, patch []operation) admission.Response {
	brings := writtenOf(request.Object)
	if len(brings.Spec) > 0 && bytes.Equal(brings.Spec, writtenOf(request.OldObject).Spec) {
		return admission.Allowed("")
	}
	odd := conversion.OddIn(brings.Spec)
	switch {
	case odd.Capacities > manyCapacities:
		return refuse(fmt.Sprintf("spec: %d capacities are requested, at most %d can be", odd.Capacities, manyCapacities))
	case odd.Quantities > manyQuantities:
		return refuse(fmt.Sprintf(`spec: %d quantities in capacity.requests are no number, or fractions without quotes, or have blanks: write them as "1.5" or "1Gi"`, odd.Quantities))
	case odd.Nulls+odd.Derived > manyItems:
		return refuse(fmt.Sprintf("spec: %d items of lists are null, and %d are derived attributes: leave them out", odd.Nulls, odd.Derived))
	}
	if len(brings.Status) > 0 {
		patch = append(patch, operation{Op: "remove", Path: "/status"})
	}
	if text := marshal(patch); text != nil {
		operations, err := jsonpatch.DecodePatch(text)
		if err == nil {
			request.Object.Raw, err = operations.Apply(request.Object.Raw)
		}
		if err != nil {
			return refuse(fmt.Sprintf("the defaults cannot be set: %v", err))
		}
	}
	return d.judge.Handle(ctx, request)
}
