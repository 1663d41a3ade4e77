package v1alpha2

import (
	"fmt"

	"github.com/claimbridge/claimbridge/api/v1alpha2"
	"github.com/claimbridge/claimbridge/conversion/internal/chain"
	"github.com/claimbridge/claimbridge/internal/kjson"
	"github.com/claimbridge/claimbridge/internal/names"
)

// CheckHandles refuses handles of an entry of ours that v1alpha2 would not accept: it can only have been made by hand. The whole of the
// rules is in package validation; here are those that an entry could use to bring in what its version refuses.
func CheckHandles(handles []v1alpha2.ResourceHandle) error {
	for i, h := range handles {
		switch {
		case h.DriverName != "" && !names.IsDriver(h.DriverName):
			return fmt.Errorf("handle %d has no valid driver name", i)
		case len(h.Data) > v1alpha2.ResourceHandleDataMaxSize:
			return fmt.Errorf("handle %d has %d bytes of data, at most %d are allowed", i, len(h.Data), v1alpha2.ResourceHandleDataMaxSize)
		case h.StructuredData == nil:
			continue
		case h.Data != "":
			return fmt.Errorf("handle %d has both data and structured data", i)
		case h.StructuredData.NodeName != "" && !names.IsSubdomain(h.StructuredData.NodeName):
			return fmt.Errorf("handle %d has no valid node name", i)
		}
		for j, r := range h.StructuredData.Results {
			if r.NamedResources == nil || !names.IsSubdomain(r.NamedResources.Name) {
				return fmt.Errorf("result %d of handle %d has no valid name", j, i)
			}
		}
	}
	return nil
}

// RefuseHandles refuses handles beyond the limits of v1alpha2, which a file may have: no other version has room for so much, and
// of what is kept beside it, CheckHandles takes no more.
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
