package review

import (
	"context"
	stdjson "encoding/json"
	"fmt"

	"github.com/go-json-experiment/json"
	admissionv1 "k8s.io/api/admission/v1"
	"k8s.io/utils/ptr"
	"sigs.k8s.io/controller-runtime/pkg/webhook/admission"

	"github.com/claimbridge/claimbridge/api"
	v1 "github.com/claimbridge/claimbridge/api/v1"
	"github.com/claimbridge/claimbridge/webhook/internal/loglimit"
)

// defaulter sets what Kubernetes set in the requests of a claim when it decoded one, and a schema
// cannot: a count of 1 depends on the mode, a mode may depend on the class, and a schema takes an
// empty mode for one that is there.
//
// What it cannot read it leaves to the schema and to the rules, which say what is wrong; only what
// is big (big.go) does not come so far before it was judged.
type defaulter struct {
	Options
	// early judges what is big; what becomes of that write /validate counts.
	early *judge
	// refusals that are logged.
	refusals *loglimit.Limit
}

// Results of defaulting, labels of a metric.
const (
	defaultsSet      = "set"
	defaultsUnneeded = "unneeded"
	defaultsRefused  = "refused"
)

// Handle completes one write. It implements controller-runtime's admission.Handler.
func (d *defaulter) Handle(ctx context.Context, request admission.Request) admission.Response {
	response := admissionv1.AdmissionResponse{Allowed: true}
	if !writesSpec(request) {
		d.Metrics.Defaulted(defaultsUnneeded)
		return admission.Response{AdmissionResponse: response}
	}
	if err := d.Groups.ours(request, "MutatingWebhookConfiguration"); err != nil {
		return d.refuse(request, err.Error())
	}
	patch := missing(request)
	if isBig(request.Object.Raw) {
		if judged := d.judgeBig(ctx, request, patch); !judged.Allowed {
			return judged
		}
	}
	result := defaultsUnneeded
	if response.Patch = marshal(patch); response.Patch != nil {
		result, response.PatchType = defaultsSet, ptr.To(admissionv1.PatchTypeJSONPatch)
	}
	d.Metrics.Defaulted(result)
	return admission.Response{AdmissionResponse: response}
}

// marshal a patch, of strings and numbers; an empty one is nil.
func marshal(patch []operation) []byte {
	if len(patch) == 0 {
		return nil
	}
	text, _ := stdjson.Marshal(patch)
	return text
}

// refuse a write.
func (d *defaulter) refuse(request admission.Request, why string) admission.Response {
	d.Metrics.Defaulted(defaultsRefused)
	return refused(request, why, d.Logger, d.refusals, "Cannot set defaults")
}

// writesSpec reports whether a write can bring a spec; others need no look.
func writesSpec(request admission.Request) bool {
	return request.SubResource == "" && (request.Operation == admissionv1.Create ||
		request.Operation == admissionv1.Update)
}

// operation of a JSON patch. Adding a member that is there replaces it.
type operation struct {
	Op    string `json:"op"`
	Path  string `json:"path"`
	Value any    `json:"value,omitempty"`
}

// amount that is asked for: how many devices of a class.
type amount struct {
	AllocationMode v1.DeviceAllocationMode `json:"allocationMode"`
	Count          int64                   `json:"count"`
}

// deviceRequest is what there is to read in a request, whatever its version. What is null is nil:
// nothing can be added to it.
type deviceRequest struct {
	amount
	DeviceClassName string    `json:"deviceClassName"`
	Exactly         *amount   `json:"exactly"`
	FirstAvailable  []*amount `json:"firstAvailable"`
}

type deviceRequests struct {
	Devices struct {
		Requests []*deviceRequest `json:"requests"`
	} `json:"devices"`
}

// amountOf a request: where the request itself says how many devices it asks for, as a path below
// it, and what is there; nil when it asks for none. The version has devices.
func (r *deviceRequest) amountOf(version api.Version) (path string, asked *amount) {
	switch {
	case version.Exactly:
		return "/exactly", r.Exactly
	case r.DeviceClassName == "" && (version.Native || len(r.FirstAvailable) > 0): // v1alpha3 needs no class
		return "", nil
	}
	return "", &r.amount
}

// missing defaults of a claim or template, as a patch. More requests or alternatives than there may
// be get none: the claim is refused, and the patch stays small.
func missing(request admission.Request) (patch []operation) {
	version, _ := api.Find(request.Kind.Version)
	if !version.Devices { // its schema sets all defaults
		return nil
	}
	var object struct {
		Spec struct {
			deviceRequests
			Spec deviceRequests `json:"spec"` // of a template
		} `json:"spec"`
	}
	if err := json.Unmarshal(request.Object.Raw, &object, leniently); err != nil {
		return nil
	}
	requests, at := object.Spec.Devices.Requests, "/spec"
	if request.Kind.Kind == api.KindTemplate {
		requests, at = object.Spec.Spec.Devices.Requests, "/spec/spec"
	}
	if len(requests) > v1.DeviceRequestsMaxSize {
		return nil
	}
	for i, r := range requests {
		if r == nil || len(r.FirstAvailable) > v1.FirstAvailableDeviceRequestMaxSize {
			continue
		}
		here := fmt.Sprintf("%s/devices/requests/%d", at, i)
		path, asked := r.amountOf(version)
		patch = asked.complete(patch, here+path)
		for j, alternative := range r.FirstAvailable {
			patch = alternative.complete(patch, fmt.Sprintf("%s/firstAvailable/%d", here, j))
		}
	}
	return patch
}

// complete adds to a patch what an amount lacks.
func (a *amount) complete(patch []operation, at string) []operation {
	if a == nil {
		return patch
	}
	whole := *a
	v1.SetModeDefaults(&whole.AllocationMode, &whole.Count)
	if whole.AllocationMode != a.AllocationMode {
		patch = append(patch, operation{"add", at + "/allocationMode", whole.AllocationMode})
	}
	if whole.Count != a.Count {
		patch = append(patch, operation{"add", at + "/count", whole.Count})
	}
	return patch
}
