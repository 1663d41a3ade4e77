// Package names validates the names of drivers, pools, devices and requests, as Kubernetes does. Conversion and
// validation use the same functions.
package names

import (
	"strings"

	"k8s.io/apimachinery/pkg/util/validation"
)

// Domain is the domain of everything that claimbridge writes into objects: its annotations, the driver of its
// configuration entries, and the class of a claim without requests.
const Domain = "claimbridge.dev"

// Maximum lengths of names in bytes.
const (
	// DriverMaxLength is the limit for the name of a CSI driver. Kubernetes uses the same check.
	DriverMaxLength = 63
	// PoolMaxLength is PoolNameMaxLength of k8s.io/api, since Kubernetes 1.31.
	PoolMaxLength = 253
)

// IsDriver reports whether a name is a valid driver name: 1 to 63 bytes that are a DNS subdomain when they are
// converted to lower case.
func IsDriver(name string) bool {
	return len(name) <= DriverMaxLength && IsSubdomain(strings.ToLower(name))
}

// IsSubdomain reports whether a name is a DNS subdomain. It is equivalent to IsDNS1123Subdomain of apimachinery, but
// uses no regular expressions, which are slow.
func IsSubdomain(name string) bool {
	if len(name) > validation.DNS1123SubdomainMaxLength {
		return false
	}
	for part := range strings.SplitSeq(name, ".") {
		if !isLabelText(part) {
			return false
		}
	}
	return true
}

// IsLabel reports whether a name is a DNS label. It is equivalent to IsDNS1123Label of apimachinery.
func IsLabel(name string) bool {
	return len(name) <= validation.DNS1123LabelMaxLength && isLabelText(name)
}

// isLabelText reports whether a text of any length matches [a-z0-9]([-a-z0-9]*[a-z0-9])?
func isLabelText(name string) bool {
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
