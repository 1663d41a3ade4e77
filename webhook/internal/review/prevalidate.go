package review

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"

	"gomodules.xyz/jsonpatch/v2"
	evanphx "gopkg.in/evanphx/json-patch.v4"
	"sigs.k8s.io/controller-runtime/pkg/webhook/admission"

	"github.com/claimbridge/claimbridge/internal/objectjson"
	"github.com/claimbridge/claimbridge/internal/schemalimits"
)

// Limits above which an object is validated before the schema of the CRD: commas, which separate the items of lists,
// and bytes.
const (
	manyItems = 128
	manyBytes = 16 << 10
)

func isLarge(object []byte) bool {
	return len(object) > manyBytes || bytes.Count(object, []byte{','}) > manyItems
}

// prevalidate validates a large object with its defaults, before the schema of the CRD does. An API server compares
// each error of a schema with all others, before it looks at maxItems: 8,000 empty requests keep it busy for seconds,
// and as many as fit into a body for hours. Mutating webhooks are called before the schema, so this one rejects what
// the validating webhook would reject later. A spec that is stored already is allowed: otherwise its labels and
// finalizers could not be changed.
func (d *defaulter) prevalidate(ctx context.Context, request admission.Request,
	defaults []jsonpatch.Operation,
) admission.Response {
	object, _, _ := objectjson.Members(request.Object.Raw) // the validator reports malformed JSON
	stored, _, _ := objectjson.Members(request.OldObject.Raw)
	spec := objectjson.Get(object, "spec")
	if spec != nil && bytes.Equal(spec, objectjson.Get(stored, "spec")) {
		return admission.Allowed("")
	}
	if tooMany := schemalimits.Count(spec).TooMany(); tooMany != "" {
		return d.reject(request, errors.New("spec: "+tooMany))
	}
	if objectjson.Get(object, "status") != nil { // a write of the spec does not change the status
		defaults = append(defaults, jsonpatch.NewOperation("remove", "/status", nil))
	}
	complete, err := apply(defaults, request.Object.Raw)
	if err != nil {
		return d.reject(request, fmt.Errorf("the defaults cannot be set: %w", err))
	}
	request.Object.Raw = complete
	response := d.validator.Handle(ctx, request)
	if response.Allowed && len(d.validator.Releases) > 0 {
		// The configured release may be older than fields of the schema, and drop them. Validate them by the default
		// release of the version too.
		byDefault := *d.validator
		byDefault.Releases = nil
		response = byDefault.Handle(ctx, request)
	}
	if !response.Allowed && isResult(response) {
		d.Metrics.CountDefaulting(defaultsRejected)
	}
	return response
}

// isResult reports whether the validator has validated the write: it had the time, and CEL was not busy.
func isResult(response admission.Response) bool {
	code := response.Result.Code
	return code != http.StatusTooManyRequests && code != http.StatusServiceUnavailable
}

// apply applies a JSON patch to an object.
func apply(operations []jsonpatch.Operation, object []byte) ([]byte, error) {
	if len(operations) == 0 {
		return object, nil
	}
	text, err := json.Marshal(operations)
	if err != nil {
		return nil, err
	}
	patch, err := evanphx.DecodePatch(text)
	if err != nil {
		return nil, err
	}
	return patch.Apply(object)
}
