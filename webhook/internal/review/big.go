package review

import (
	"bytes"
	"context"
	"fmt"
	"net/http"

	jsonpatch "gopkg.in/evanphx/json-patch.v4"
	"sigs.k8s.io/controller-runtime/pkg/webhook/admission"

	"github.com/claimbridge/claimbridge/internal/kjson"
	"github.com/claimbridge/claimbridge/internal/odd"
)

// An API server compares each error of a schema with each other one, before it looks at maxItems:
// 8,000 empty requests keep it busy for seconds, and as many as fit into a body for hours. It asks
// the mutating webhook before that, so what is big is judged there: what has more items than this,
// by its commas, or more bytes.
const (
	manyItems = 128
	manyBytes = 16 << 10
)

func isBig(object []byte) bool { return len(object) > manyBytes || commas(object) > manyItems }

// judgeBig judges a big object as it will be with its defaults. A spec that is stored already may
// stay: to refuse it now would lock its labels and finalizers.
func (d *defaulter) judgeBig(ctx context.Context, request admission.Request, patch []operation) admission.Response {
	brings, _, _ := kjson.Members(request.Object.Raw) // what is no JSON the judge will say
	stored, _, _ := kjson.Members(request.OldObject.Raw)
	spec := kjson.Get(brings, "spec")
	if spec != nil && bytes.Equal(spec, kjson.Get(stored, "spec")) {
		return admission.Allowed("")
	}
	if why := odd.In(spec).TooMany(); why != "" {
		return d.refuse(request, "spec: "+why)
	}
	if kjson.Get(brings, "status") != nil {
		patch = append(patch, operation{Op: "remove", Path: "/status"})
	}
	if text := marshal(patch); text != nil {
		operations, err := jsonpatch.DecodePatch(text)
		if err == nil {
			request.Object.Raw, err = operations.Apply(request.Object.Raw)
		}
		if err != nil {
			return d.refuse(request, fmt.Sprintf("the defaults cannot be set: %v", err))
		}
	}
	judged := d.early.Handle(ctx, request)
	if judged.Allowed && len(d.early.Releases) > 0 { // which may be older than fields that a schema has
		current := *d.early
		current.Releases = nil
		judged = current.Handle(ctx, request)
	}
	if !judged.Allowed && judged.Result.Code != http.StatusTooManyRequests &&
		judged.Result.Code != http.StatusServiceUnavailable {
		// else nothing was judged
		d.Metrics.Defaulted(defaultsRefused)
	}
	return judged
}
