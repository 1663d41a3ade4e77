package conversion

import (
	"fmt"
	"strings"
)

// checkVersion answers nil for a version that is converted, else an ErrVersion that names those that are.
func checkVersion(version string) error {
	if indexOf(version) >= 0 {
		return nil
	}
	return fmt.Errorf("%w %q: known are %s", ErrVersion, version, strings.Join(Versions(), ", "))
}
