package review

import (
	"fmt"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation"

	"github.com/claimbridge/claimbridge/api"
	"github.com/claimbridge/claimbridge/webhook/internal/httperror"
)

// AnyGroup means all groups.
const AnyGroup = "*"

// Groups are the API groups that are served.
type Groups []string

// Valid returns an error for a group that is not a valid name of an API group.
func (g Groups) Valid() error {
	for _, group := range g {
		if group == AnyGroup {
			continue
		}
		if problems := validation.IsDNS1123Subdomain(group); len(problems) > 0 {
			return fmt.Errorf("API group %q: must be * or a name without version like %s: %s", group, api.Group,
				problems[0])
		}
	}
	return nil
}

// check returns an error if a group is not served. The error has the flag that serves it.
func (g Groups) check(group string) error {
	if group != "" && (slices.Contains(g, AnyGroup) || slices.Contains(g, group)) {
		return nil
	}
	return fmt.Errorf("API group %q is not served here, only %s: start the server with --group=%s",
		httperror.Truncate(group, 253), strings.Join(g, ", "), httperror.Truncate(group, 253))
}
