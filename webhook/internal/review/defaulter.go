package review

import (
	"context"
	"errors"
	"fmt"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"gomodules.xyz/jsonpatch/v2"
	admissionv1 "k8s.io/api/admission/v1"
	"sigs.k8s.io/controller-runtime/pkg/webhook/admission"

	"github.com/claimbridge/claimbridge/api"
	v1 "github.com/claimbridge/claimbridge/api/v1"
	"github.com/claimbridge/claimbridge/webhook/internal/loglimit"
)

// defaulter sets those defaults of device requests that Kubernetes sets when it decodes a claim and that the schema of
// a CRD cannot express: a count of 1 depends on the mode, a mode may depend on the class, and a schema sets no default
// in place of an empty mode.
//
// It ignores objects that it cannot decode, because the schema and the validating webhook report what is wrong with
// them. It validates only large objects, see prevalidate.
type defaulter struct {
	Options
	// validator validates large objects. It does not count them: the validating webhook does.
	validator *validator
	// rejections limits the log lines about rejected writes.
	rejections *loglimit.Limiter
}

// Results of defaulting, values of a label of a metric.
const (
	defaultsSet      = "set"
	defaultsUnneeded = "unneeded"
	defaultsRejected = "refused" // a public name: dashboards use it
)

// Handle returns the defaults of one write as a JSON patch. It implements controller-runtime's admission.Handler.
func (d *defaulter) Handle(ctx context.Context, request admission.Request) admission.Response {
	if !writesSpec(request) {
		d.Metrics.CountDefaulting(defaultsUnneeded)
		return admission.Allowed("")
	}
	if err := d.Groups.checkRequest(request, "MutatingWebhookConfiguration"); err != nil {
		return d.reject(request, err)
	}
	patch := missingDefaults(request)
	if isLarge(request.Object.Raw) {
		if response := d.prevalidate(ctx, request, patch); !response.Allowed {
			return response
		}
	}
	if len(patch) == 0 {
		d.Metrics.CountDefaulting(defaultsUnneeded)
		return admission.Allowed("")
	}
	d.Metrics.CountDefaulting(defaultsSet)
	return admission.Patched("", patch...)
}

// reject denies a write.
func (d *defaulter) reject(request admission.Request, err error) admission.Response {
	d.Metrics.CountDefaulting(defaultsRejected)
	logRejection(d.Logger, d.rejections, "Cannot set defaults", request, err)
	return badRequest(err)
}

// writesSpec reports whether a write can change a spec.
func writesSpec(request admission.Request) bool {
	return request.SubResource == "" && (request.Operation == admissionv1.Create ||
		request.Operation == admissionv1.Update)
}

// deviceCount has the fields of a request or an alternative that say how many devices it requests.
type deviceCount struct {
	AllocationMode v1.DeviceAllocationMode `json:"allocationMode"`
	Count          int64                   `json:"count"`
}

// deviceRequest has the fields of a request, in any version, that defaults depend on. A field that is null is nil.
type deviceRequest struct {
	deviceCount
	DeviceClassName string                 `json:"deviceClassName"`
	Exactly         *deviceCount           `json:"exactly"`
	FirstAvailable  shortList[deviceCount] `json:"firstAvailable"`
}

type deviceRequests struct {
	Devices struct {
		Requests shortList[deviceRequest] `json:"requests"`
	} `json:"devices"`
}

// maxShortList is more items than a list of requests or alternatives may have.
const maxShortList = 1 + max(v1.DeviceRequestsMaxSize, v1.FirstAvailableDeviceRequestMaxSize)

// shortList decodes the first maxShortList items of a list only, so that a long list does not take much memory.
type shortList[T any] []*T

// UnmarshalJSONFrom decodes a list or null.
func (l *shortList[T]) UnmarshalJSONFrom(d *jsontext.Decoder) error {
	switch d.PeekKind() {
	case jsontext.KindNull:
		return d.SkipValue()
	case jsontext.KindBeginArray:
	default:
		return errors.New("must be a list")
	}
	if _, err := d.ReadToken(); err != nil {
		return err
	}
	for d.PeekKind() != jsontext.KindEndArray {
		if len(*l) == maxShortList {
			if err := d.SkipValue(); err != nil {
				return err
			}
			continue
		}
		var item *T
		if err := json.UnmarshalDecode(d, &item); err != nil {
			return err
		}
		*l = append(*l, item)
	}
	_, err := d.ReadToken()
	return err
}

// deviceCountIn returns the device count of a request and its path below the request, or nil if it has none.
func (r *deviceRequest) deviceCountIn(version api.Version) (path string, requested *deviceCount) {
	switch {
	case version.Exactly:
		return "/exactly", r.Exactly
	case r.DeviceClassName == "" && (version.Lossless || len(r.FirstAvailable) > 0):
		// The versions without the field `exactly` are v1alpha3 and v1beta1. Without a class, a request of v1beta1 has no
		// device count, and one of v1alpha3, which is not lossless, has one unless it has alternatives.
		return "", nil
	}
	return "", &r.deviceCount
}

// missingDefaults returns a JSON patch that adds the missing defaults of a claim or template. If there are more
// requests or alternatives than are valid, they get no defaults: the claim will be denied, and the patch stays small.
func missingDefaults(request admission.Request) (patch []jsonpatch.Operation) {
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
	if err := json.Unmarshal(request.Object.Raw, &object, lenient); err != nil {
		return nil
	}
	specPath := "/spec"
	requests := object.Spec.Devices.Requests
	if request.Kind.Kind == api.KindTemplate {
		specPath = "/spec/spec"
		requests = object.Spec.Spec.Devices.Requests
	}
	if len(requests) > v1.DeviceRequestsMaxSize {
		return nil
	}
	for i, r := range requests {
		if r == nil || len(r.FirstAvailable) > v1.FirstAvailableDeviceRequestMaxSize {
			continue
		}
		requestPath := fmt.Sprintf("%s/devices/requests/%d", specPath, i)
		path, requested := r.deviceCountIn(version)
		patch = append(patch, requested.missingDefaults(requestPath+path)...)
		for j, alternative := range r.FirstAvailable {
			patch = append(patch, alternative.missingDefaults(fmt.Sprintf("%s/firstAvailable/%d", requestPath, j))...)
		}
	}
	return patch
}

// missingDefaults returns operations that add the missing defaults of a device count at a path. Adding a member that
// exists replaces it.
func (c *deviceCount) missingDefaults(path string) (patch []jsonpatch.Operation) {
	if c == nil {
		return nil
	}
	complete := *c
	v1.SetModeDefaults(&complete.AllocationMode, &complete.Count)
	if complete.AllocationMode != c.AllocationMode {
		patch = append(patch, jsonpatch.NewOperation("add", path+"/allocationMode", complete.AllocationMode))
	}
	if complete.Count != c.Count {
		patch = append(patch, jsonpatch.NewOperation("add", path+"/count", complete.Count))
	}
	return patch
}
