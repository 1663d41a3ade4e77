package validation

import (
	"fmt"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/claimbridge/claimbridge/conversion"
)

// noFieldOfLaterReleases is asked before the rules of 1.31, which dropped such fields without a look at them: a request
// with firstAvailable has no class, and to say that it lacks one would be misleading. What an object has already, from
// before there was a webhook, may stay: else nobody could take away its finalizers.
var noFieldOfLaterReleases = Rule{
	Name:   "no-field-of-later-releases",
	Reason: "v1alpha3 is that of Kubernetes 1.31 here: what 1.32 and 1.33 added to it would get lost, so it is refused.",
	Source: "claimbridge",
	asked:  onAny,
	check: func(w *write, refuse refuse) {
		before := make(map[string][]byte, len(w.old.later))
		for _, later := range w.old.later {
			before[later.path.String()] = later.value
		}
		for _, later := range w.new.later {
			at := later.path.String()
			if strings.HasPrefix(at, "status.") != (w.op == UpdateStatus) {
				continue // the API server takes that part from the old object
			}
			if value, had := before[at]; had && conversion.Equal(value, later.value) {
				continue
			}
			refuse(field.Forbidden(later.path, fmt.Sprintf("was added to v1alpha3 in Kubernetes %s, and is lost here, "+
				"where v1alpha3 is that of 1.31: leave it out", later.release)))
		}
	},
}
