// Package names says which names Kubernetes takes: of drivers, pools, devices and requests. What
// conversion restores and what the rules let pass is validated by the same functions.
package names

import (
	"strings"

	"k8s.io/apimachinery/pkg/util/validation"
)

// Domain of everything that claimbridge writes into objects: its annotations, the driver of its configuration entries,
// and the class of a claim that asks for nothing.
const Domain = "claimbridge.dev"

// Longest names, in bytes.
const (
	// DriverMaxLength is that of a CSI driver's name, whose check upstream shares.
	DriverMaxLength = 63
	// PoolMaxLength is upstream's PoolNameMaxLength, of Kubernetes 1.31.
	PoolMaxLength = 253
)

// IsDriver is true of 1 to 63 bytes that are a DNS subdomain in lower case; upper case is legal.
func IsDriver(name string) bool {
	return len(name) <= DriverMaxLength && IsSubdomain(strings.ToLower(name))
}

// IsSubdomain is apimachinery's IsDNS1123Subdomain without regular expressions, which are what takes its time.
func IsSubdomain(name string) bool {
	if len(name) > validation.DNS1123SubdomainMaxLength {
		return false
	}
	for part := range strings.SplitSeq(name, ".") {
		if !isPart(part) {
			return false
		}
	}
	return true
}

// IsLabel is apimachinery's IsDNS1123Label, likewise.
func IsLabel(name string) bool {
	return len(name) <= validation.DNS1123LabelMaxLength && isPart(name)
}

// isPart is [a-z0-9]([-a-z0-9]*[a-z0-9])?
func isPart(name string) bool {
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
