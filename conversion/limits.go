package conversion

import (
	"bytes"
	"fmt"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation"

	"github.com/claimbridge/claimbridge/api/v1alpha2"
	"github.com/claimbridge/claimbridge/api/v1alpha3"
)

// The rules of the versions that a restored value must keep. A leftover that breaks one is malformed: it can only
// have been made by hand. The whole of the rules is in package validation; here are those that a leftover could use
// to bring in what its version refuses.

// isDriver is the rule for driver names: 1 to 63 bytes, a DNS subdomain when lower-cased.
func isDriver(name string) bool {
	return len(name) <= 63 && isSubdomain(strings.ToLower(name))
}

// isSubdomain and isLabel are apimachinery's IsDNS1123Subdomain and IsDNS1123Label without regular expressions and
// without a reason, which is what takes their time; a test holds them together.
func isSubdomain(name string) bool {
	if len(name) > validation.DNS1123SubdomainMaxLength {
		return false
	}
	for {
		segment, rest, more := strings.Cut(name, ".")
		if !isSegment(segment) {
			return false
		}
		if !more {
			return true
		}
		name = rest
	}
}

func isLabel(name string) bool {
	return len(name) <= validation.DNS1123LabelMaxLength && isSegment(name)
}

// isSegment is [a-z0-9]([-a-z0-9]*[a-z0-9])?
func isSegment(name string) bool {
	if name == "" || name[0] == '-' || name[len(name)-1] == '-' {
		return false
	}
	for i := range len(name) {
		if c := name[i]; c != '-' && (c < '0' || c > '9') && (c < 'a' || c > 'z') {
			return false
		}
	}
	return true
}

const maxPool = 253 // bytes; Kubernetes 1.31, PoolNameMaxLength

// isPool is the rule for pools: at most 253 bytes, DNS subdomains joined by slashes.
func isPool(name string) bool {
	if len(name) > maxPool {
		return false
	}
	for _, segment := range strings.Split(name, "/") {
		if !isSubdomain(segment) {
			return false
		}
	}
	return true
}

func isObject(value []byte) bool {
	return bytes.HasPrefix(bytes.TrimLeft(value, " \t\r\n"), []byte("{"))
}

func checkHandles(handles []v1alpha2.ResourceHandle) error {
	for i, h := range handles {
		switch {
		case h.DriverName != "" && !isDriver(h.DriverName):
			return fmt.Errorf("handle %d has no valid driver name", i)
		case len(h.Data) > v1alpha2.ResourceHandleDataMaxSize:
			return fmt.Errorf("handle %d has %d bytes of data, at most %d are allowed", i, len(h.Data), v1alpha2.ResourceHandleDataMaxSize)
		case h.StructuredData == nil:
			continue
		case h.Data != "":
			return fmt.Errorf("handle %d has both data and structured data", i)
		case h.StructuredData.NodeName != "" && !isSubdomain(h.StructuredData.NodeName):
			return fmt.Errorf("handle %d has no valid node name", i)
		}
		for j, r := range h.StructuredData.Results {
			if r.NamedResources == nil || !isSubdomain(r.NamedResources.Name) {
				return fmt.Errorf("result %d of handle %d has no valid name", j, i)
			}
		}
	}
	return nil
}

func checkResults(results []v1alpha3.DeviceRequestAllocationResult) error {
	if len(results) > v1alpha3.AllocationResultsMaxSize {
		return fmt.Errorf("%d results, at most %d are allowed", len(results), v1alpha3.AllocationResultsMaxSize)
	}
	for i, r := range results {
		if !isLabel(r.Request) || !isDriver(r.Driver) || !isPool(r.Pool) || !isLabel(r.Device) {
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

func checkOpaque(o *v1alpha3.OpaqueDeviceConfiguration) error {
	if o == nil || !isDriver(o.Driver) || !isObject(o.Parameters.Raw) {
		return fmt.Errorf("is not valid")
	}
	return nil
}
