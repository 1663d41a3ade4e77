package hub

import (
	"fmt"
	"reflect"
	"slices"

	"github.com/claimbridge/claimbridge/api/v1alpha2"
	"github.com/claimbridge/claimbridge/internal/names"
	"github.com/claimbridge/claimbridge/internal/objectjson"
)

const handlesPath = "status.allocation.resourceHandles"

// checkHandles returns an error for handles of a manifest that v1alpha2 does not accept. No version preserves them. An
// API server has validated the handles of other objects.
func (c *V1alpha2) checkHandles(o Options) error {
	if !o.Manifest || !c.IsAllocated() {
		return nil
	}
	handles := c.Status.Allocation.ResourceHandles
	if n := len(handles); n > v1alpha2.AllocationResultResourceHandlesMaxSize {
		return &objectjson.FieldError{
			Field: handlesPath,
			Reason: fmt.Sprintf("has %d handles, and every version allows at most %d: remove some", n,
				v1alpha2.AllocationResultResourceHandlesMaxSize),
		}
	}
	for i := range handles {
		if err := checkHandle(&handles[i]); err != nil {
			return &objectjson.FieldError{Field: fmt.Sprintf("%s[%d]%s", handlesPath, i, err.Field), Reason: err.Reason}
		}
	}
	return nil
}

// invalidHandles returns the paths of fields of handles that v1alpha2 does not accept and no newer version preserves.
func invalidHandles(handles []v1alpha2.ResourceHandle) (fields []string) {
	for i := range handles {
		if err := checkHandle(&handles[i]); err != nil {
			fields = append(fields, fmt.Sprintf("%s[%d]%s", handlesPath, i, err.Field))
		}
	}
	return fields
}

// checkHandle returns an error for a handle that v1alpha2 does not accept, with the path of the field below the handle.
func checkHandle(h *v1alpha2.ResourceHandle) *objectjson.FieldError {
	if h.DriverName != "" && !names.IsDriver(h.DriverName) {
		return &objectjson.FieldError{
			Field:  ".driverName",
			Reason: "is not a valid driver name, and is not preserved: correct it",
		}
	}
	if err := checkHandleData(".data", h.Data); err != nil {
		return err
	}
	structured := h.StructuredData
	switch {
	case structured == nil:
		return nil
	case h.Data != "":
		return &objectjson.FieldError{
			Field:  ".data",
			Reason: "is set together with structuredData, and no version allows both: remove one",
		}
	case structured.NodeName != "" && !names.IsSubdomain(structured.NodeName):
		return &objectjson.FieldError{
			Field:  ".structuredData.nodeName",
			Reason: "is not a DNS subdomain, and is not preserved: correct it",
		}
	case slices.ContainsFunc(structured.Results, hasNoDeviceName):
		return &objectjson.FieldError{
			Field:  ".structuredData.results",
			Reason: "has a result without a valid device name, and is not preserved: set the name",
		}
	}
	return nil
}

func hasNoDeviceName(r v1alpha2.DriverAllocationResult) bool {
	return r.NamedResources == nil || !names.IsSubdomain(r.NamedResources.Name)
}

// checkHandleData returns an error for data that exceeds the limit of a handle.
func checkHandleData(path, data string) *objectjson.FieldError {
	if n := len(data); n > v1alpha2.ResourceHandleDataMaxSize {
		return &objectjson.FieldError{
			Field: path,
			Reason: fmt.Sprintf("has %d bytes, and every version allows at most %d: shorten it", n,
				v1alpha2.ResourceHandleDataMaxSize),
		}
	}
	return nil
}

// EqualHandles reports whether two handles are equal to an API server: nil and empty lists are equal, and so are
// parameters with another order of members.
func EqualHandles(a, b v1alpha2.ResourceHandle) bool {
	if a.StructuredData == nil && b.StructuredData == nil {
		return a == b
	}
	return reflect.DeepEqual(a, b) || canonicalHandle(&a) == canonicalHandle(&b)
}

// canonicalHandle returns canonical JSON, which is the same for equal handles.
func canonicalHandle(h *v1alpha2.ResourceHandle) string { return canonicalText(h) }
