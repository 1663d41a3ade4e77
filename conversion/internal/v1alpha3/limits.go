package v1alpha3

import (
	"bytes"
	"errors"
	"fmt"
	"strings"

	"github.com/claimbridge/claimbridge/api/v1alpha3"
	"github.com/claimbridge/claimbridge/internal/names"
)

// The rules of the version that a restored value must keep, as in package v1alpha2.

func checkResults(results []v1alpha3.DeviceRequestAllocationResult) error {
	if len(results) > v1alpha3.AllocationResultsMaxSize {
		return fmt.Errorf("%d results, at most %d are allowed", len(results), v1alpha3.AllocationResultsMaxSize)
	}
	for i, r := range results {
		if !isReference(r.Request) || !names.IsDriver(r.Driver) || !names.IsPool(r.Pool) || !names.IsLabel(r.Device) {
			return fmt.Errorf("result %d is not valid", i)
		}
	}
	return nil
}

// checkAllocationConfig checks each entry; how many there are is a matter of the delta that says so.
func checkAllocationConfig(config []v1alpha3.DeviceAllocationConfiguration) error {
	for i, c := range config {
		if c.Source != v1alpha3.AllocationConfigSourceClass && c.Source != v1alpha3.AllocationConfigSourceClaim {
			return fmt.Errorf("configuration entry %d has no valid source", i)
		}
		if err := checkOpaque(c.Opaque); err != nil {
			return fmt.Errorf("configuration entry %d %w", i, err)
		}
	}
	return nil
}

// isReference reports whether a result can name a request so, or one of its alternatives.
func isReference(name string) bool {
	request, alternative, one := strings.Cut(name, "/")
	return names.IsLabel(request) && (!one || names.IsLabel(alternative))
}

func checkOpaque(o *v1alpha3.OpaqueDeviceConfiguration) error {
	if o == nil || !names.IsDriver(o.Driver) || !isObject(o.Parameters.Raw) {
		return errors.New("is not valid")
	}
	return nil
}

func isObject(value []byte) bool {
	return bytes.HasPrefix(bytes.TrimLeft(value, " \t\r\n"), []byte("{"))
}
