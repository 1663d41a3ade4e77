//go:build !from_1_33

package validation

import "k8s.io/apimachinery/pkg/util/sets"

// Unexported identifiers of the package that tests of 1.32 use.
const (
	maxConditions            = 8
	maxIPs                   = 16
	interfaceNameMaxLength   = 256
	hardwareAddressMaxLength = 128
)

// supportedAllocationModes is one that tests up to 1.30 use.
var supportedAllocationModes = sets.NewString("Immediate", "WaitForFirstConsumer")
