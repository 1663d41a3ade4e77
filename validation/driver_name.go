package validation

import (
	"strings"

	"k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// driverNameMaxLength in bytes is that of a CSI driver's name, whose check upstream shares.
const driverNameMaxLength = 63

// checkDriverName refuses what cannot name a driver (P2). Upper case is legal: the check is made on the name in lower
// case. An empty name is both missing and malformed, as upstream has it up to release 1.34.
func checkDriverName(name string, at func() *field.Path, refuse refuse) {
	if name == "" {
		refuse(field.Required(at(), ""))
	}
	if len(name) > driverNameMaxLength {
		refuse(field.TooLong(at(), "", driverNameMaxLength))
	}
	for _, problem := range validation.IsDNS1123Subdomain(strings.ToLower(name)) {
		refuse(invalidName(at(), name, problem))
	}
}
