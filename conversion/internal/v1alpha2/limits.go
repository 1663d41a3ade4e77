package v1alpha2

import (
	"fmt"

	"github.com/claimbridge/claimbridge/api/v1alpha2"
	"github.com/claimbridge/claimbridge/internal/names"
)

// CheckHandles refuses restored handles that v1alpha2 would not accept. A leftover that breaks a rule is malformed: it can
// only have been made by hand. The whole of the rules is in package validation; here are those that a leftover could use to
// bring in what its version refuses.
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
