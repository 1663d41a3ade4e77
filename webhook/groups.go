package webhook

import (
	"fmt"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation"
)

// anyGroup stands for all groups.
const anyGroup = "*"

// groups that are served.
type groups []string

func (g groups) serve(group string) bool {
	return group != "" && (slices.Contains(g, anyGroup) || slices.Contains(g, group))
}

// valid tells whether the groups can be names of API groups.
func (g groups) valid() error {
	for _, group := range g {
		if group == anyGroup {
			continue
		}
		if problems := validation.IsDNS1123Subdomain(group); len(problems) > 0 {
			return fmt.Errorf("API group %q: must be * or a name without version like %s: %s", group, defaultGroup, problems[0])
		}
	}
	return nil
}

// check a group; the error says how to serve it.
func (g groups) check(group string) error {
	if g.serve(group) {
		return nil
	}
	return fmt.Errorf("API group %q is not served here, only %s: start the server with --group=%s",
		shorten(group, 253), strings.Join(g, ", "), shorten(group, 253))
}
