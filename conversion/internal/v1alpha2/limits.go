package v1alpha2

import (
	"fmt"
	"slices"

	"github.com/claimbridge/claimbridge/api/v1alpha2"
	"github.com/claimbridge/claimbridge/conversion/internal/chain"
	"github.com/claimbridge/claimbridge/internal/kjson"
	"github.com/claimbridge/claimbridge/internal/names"
)

// AcceptsHandles reports whether v1alpha2 accepts the handles of an entry that preserves them: a
// client made by hand those that it would not. All rules are in package validation; here are those
// that an entry could break to restore what its version rejects.
func AcceptsHandles(handles []v1alpha2.ResourceHandle) bool {
	return len(UnacceptedHandles(handles)) == 0
}

// UnacceptedHandles returns the fields of handles that v1alpha2 does not accept, and that no newer version preserves.
func UnacceptedHandles(handles []v1alpha2.ResourceHandle) (fields []string) {
	for i := range handles {
		if e := problemOf(&handles[i]); e != nil {
			fields = append(fields, fmt.Sprintf("%s[%d]%s", handlesPath, i, e.Field))
		}
	}
	return fields
}

const handlesPath = "status.allocation.resourceHandles"

// problemOf a handle that v1alpha2 does not accept; nil when it does. The field is a path below the handle.
func problemOf(h *v1alpha2.ResourceHandle) *kjson.DecodeError {
	if h.DriverName != "" && !names.IsDriver(h.DriverName) {
		return &kjson.DecodeError{Field: ".driverName", Why: "is no name of a driver, and is not preserved: correct it"}
	}
	if err := tooMuchData(".data", h.Data); err != nil {
		return err
	}
	s := h.StructuredData
	switch {
	case s == nil:
		return nil
	case h.Data != "":
		return &kjson.DecodeError{
			Field: ".data",
			Why:   "stands beside structuredData, and no version accepts both: remove one",
		}
	case s.NodeName != "" && !names.IsSubdomain(s.NodeName):
		return &kjson.DecodeError{
			Field: ".structuredData.nodeName", Why: "is no DNS subdomain, and is not preserved: correct it",
		}
	case slices.ContainsFunc(s.Results, isNameless):
		return &kjson.DecodeError{
			Field: ".structuredData.results",
			Why:   "has a result without a valid name of a device, which is not preserved: name it",
		}
	}
	return nil
}

func isNameless(r v1alpha2.DriverAllocationResult) bool {
	return r.NamedResources == nil || !names.IsSubdomain(r.NamedResources.Name)
}

// RefuseHandles rejects handles that v1alpha2 does not accept. A file may have some, since no API
// server has validated it, and no other version preserves them: AcceptsHandles restores no others.
func RefuseHandles(c chain.Claim) error {
	status, _ := c.Status.(*v1alpha2.ResourceClaimStatus)
	if status == nil || status.Allocation == nil {
		return nil
	}
	handles := status.Allocation.ResourceHandles
	if n := len(handles); n > v1alpha2.AllocationResultResourceHandlesMaxSize {
		why := "has %d handles, and no version takes more than %d: take some out"
		return &kjson.DecodeError{
			Field: handlesPath, Why: fmt.Sprintf(why, n, v1alpha2.AllocationResultResourceHandlesMaxSize),
		}
	}
	for i := range handles {
		if e := problemOf(&handles[i]); e != nil {
			return &kjson.DecodeError{Field: fmt.Sprintf("%s[%d]%s", handlesPath, i, e.Field), Why: e.Why}
		}
	}
	return nil
}

func tooMuchData(path, data string) *kjson.DecodeError {
	if n := len(data); n > v1alpha2.ResourceHandleDataMaxSize {
		why := "has %d bytes, and no version takes more than %d: shorten it"
		return &kjson.DecodeError{Field: path, Why: fmt.Sprintf(why, n, v1alpha2.ResourceHandleDataMaxSize)}
	}
	return nil
}
