package v1alpha2

import (
	"fmt"
	"slices"

	"github.com/claimbridge/claimbridge/api/v1alpha2"
	"github.com/claimbridge/claimbridge/conversion/internal/chain"
	"github.com/claimbridge/claimbridge/internal/kjson"
	"github.com/claimbridge/claimbridge/internal/names"
)

// AcceptsHandles reports whether v1alpha2 would accept handles of an entry of ours: those that it would not can only have been made by hand. The
// whole of the rules is in package validation; here are those that an entry could use to bring in what its version refuses.
func AcceptsHandles(handles []v1alpha2.ResourceHandle) bool {
	return !slices.ContainsFunc(handles, func(h v1alpha2.ResourceHandle) bool {
		s := h.StructuredData
		return h.DriverName != "" && !names.IsDriver(h.DriverName) || len(h.Data) > v1alpha2.ResourceHandleDataMaxSize ||
			s != nil && (h.Data != "" || s.NodeName != "" && !names.IsSubdomain(s.NodeName) || slices.ContainsFunc(s.Results, isNameless))
	})
}

func isNameless(r v1alpha2.DriverAllocationResult) bool {
	return r.NamedResources == nil || !names.IsSubdomain(r.NamedResources.Name)
}

// RefuseHandles refuses handles beyond the limits of v1alpha2, which a file may have: no other version has room for so much, and
// of what is kept beside it, AcceptsHandles takes no more.
func RefuseHandles(c chain.Claim) error {
	status, _ := c.Status.(*v1alpha2.ResourceClaimStatus)
	if status == nil || status.Allocation == nil {
		return nil
	}
	const path = "status.allocation.resourceHandles"
	handles := status.Allocation.ResourceHandles
	if n := len(handles); n > v1alpha2.AllocationResultResourceHandlesMaxSize {
		return &kjson.DecodeError{Field: path, Why: fmt.Sprintf("has %d handles, and no version takes more than %d: take some out", n, v1alpha2.AllocationResultResourceHandlesMaxSize)}
	}
	for i := range handles {
		if len(handles[i].Data) > v1alpha2.ResourceHandleDataMaxSize {
			return refuseData(fmt.Sprintf("%s[%d].data", path, i), handles[i].Data)
		}
	}
	return nil
}

func refuseData(path, data string) error {
	if n := len(data); n > v1alpha2.ResourceHandleDataMaxSize {
		return &kjson.DecodeError{Field: path, Why: fmt.Sprintf("has %d bytes, and no version takes more than %d: shorten it", n, v1alpha2.ResourceHandleDataMaxSize)}
	}
	return nil
}
