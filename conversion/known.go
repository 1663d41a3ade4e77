package conversion

import (
	"fmt"
	"strings"

	"github.com/claimbridge/claimbridge/api"
)

// laterVersions of claims, and the release of Kubernetes that each came with. They are not converted yet.
var laterVersions = map[string]string{"v1beta1": "1.32", "v1beta2": "1.33", "v1": "1.34"}

// CheckVersion answers nil for a version that is converted, else an ErrVersion that says what is known of the other one.
func CheckVersion(version string) error {
	if indexOf(version) >= 0 {
		return nil
	}
	if release, later := laterVersions[version]; later {
		return fmt.Errorf("%w %q: it came with Kubernetes %s, and claimbridge does not go beyond %s of %s yet", ErrVersion, version, release, Newest(), api.Newest().Release)
	}
	return fmt.Errorf("%w %q: known are %s", ErrVersion, version, strings.Join(Versions(), ", "))
}
