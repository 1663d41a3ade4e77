package review

import (
	"context"
	stdjson "encoding/json"
	"fmt"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/go-logr/logr"
	admissionv1 "k8s.io/api/admission/v1"
	"k8s.io/utils/ptr"
	"sigs.k8s.io/controller-runtime/pkg/webhook/admission"

	"github.com/claimbridge/claimbridge/api"
	"github.com/claimbridge/claimbridge/api/v1alpha3"
	"github.com/claimbridge/claimbridge/webhook/internal/loglimit"
	"github.com/claimbridge/claimbridge/webhook/internal/metrics"
	"github.com/claimbridge/claimbridge/webhook/internal/refusal"
)

// defaulter sets what Kubernetes 1.31 set in the requests of a claim when it decoded one, and a schema cannot: a count
// of 1 depends on the mode, and a schema takes an empty mode for one that is there.
//
// It never refuses a claim: what it cannot read it leaves to the schema and to the rules, which say what is wrong.
type defaulter struct {
	groups  Groups
	metrics *metrics.Metrics
	log     logr.Logger
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
func (d *defaulter) Handle(_ context.Context, request admission.Request) admission.Response {
	response := admissionv1.AdmissionResponse{Allowed: true}
	if !writesSpec(request) {
		d.metrics.Defaulted(defaultsUnneeded)
		return admission.Response{AdmissionResponse: response}
	}
	if err := d.groups.ours(request, "MutatingWebhookConfiguration"); err != nil {
		d.metrics.Defaulted(defaultsRefused)
		message := refusal.Shorten(err.Error(), maxCause)
		if omitted, ok := d.refusals.Admit(); ok {
			d.log.Error(nil, "Cannot set defaults", "version", metrics.VersionLabel(request.Kind.Version), "object", requestRef(request),
				"cause", message, "omitted", omitted)
		}
		return admission.Response{AdmissionResponse: admissionv1.AdmissionResponse{Result: badRequest(message)}}
	}
	patch := missing(request)
	if len(patch) == 0 {
		d.metrics.Defaulted(defaultsUnneeded)
		return admission.Response{AdmissionResponse: response}
	}
	d.metrics.Defaulted(defaultsSet)
	response.Patch, _ = stdjson.Marshal(patch) // strings and numbers always can be
	response.PatchType = ptr.To(admissionv1.PatchTypeJSONPatch)
	return admission.Response{AdmissionResponse: response}
}

// writesSpec reports whether a write can bring a spec; others need no look.
func writesSpec(request admission.Request) bool {
	return request.SubResource == "" && (request.Operation == admissionv1.Create || request.Operation == admissionv1.Update)
}

// operation of a JSON patch. Adding a member that is there replaces it.
type operation struct {
	Op    string `json:"op"`
	Path  string `json:"path"`
	Value any    `json:"value"`
}

// deviceRequests are what there is to read in the spec of a claim. A request that is null is nil: nothing can be added
// to it.
type deviceRequests struct {
	Devices struct {
		Requests []*struct {
			AllocationMode v1alpha3.DeviceAllocationMode `json:"allocationMode"`
			Count          int64                         `json:"count"`
		} `json:"requests"`
	} `json:"devices"`
}

// leniently is how the object is read: the API server has it decoded already.
var leniently = json.JoinOptions(jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))

// requestDefaults complete a request as the types of a version do; nil where there is nothing that the schema of the
// version does not set.
var requestDefaults = map[string]func(*v1alpha3.DeviceRequest){
	"v1alpha1": nil,
	"v1alpha2": nil,
	"v1alpha3": v1alpha3.SetRequestDefaults,
}

// missing defaults of a claim or template, as a patch. More requests than a claim may have get none: the claim is
// refused, and the patch stays small.
func missing(request admission.Request) []operation {
	setDefaults := requestDefaults[request.Kind.Version]
	if setDefaults == nil {
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
	if len(requests) > v1alpha3.DeviceRequestsMaxSize {
		return nil
	}
	var patch []operation
	for i, r := range requests {
		if r == nil {
			continue
		}
		whole := v1alpha3.DeviceRequest{AllocationMode: r.AllocationMode, Count: r.Count}
		setDefaults(&whole)
		if whole.AllocationMode != r.AllocationMode {
			patch = append(patch, operation{"add", fmt.Sprintf("%s/devices/requests/%d/allocationMode", at, i), whole.AllocationMode})
		}
		if whole.Count != r.Count {
			patch = append(patch, operation{"add", fmt.Sprintf("%s/devices/requests/%d/count", at, i), whole.Count})
		}
	}
	return patch
}
