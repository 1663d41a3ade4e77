// Package gitenv keeps tests that run git out of the repository of whoever runs the tests.
package gitenv

import (
	"os"
	"slices"
	"strings"
)

// Clean is an environment for git in a folder of a test: that of the process without GIT_DIR and
// all else that git has in variables, which a hook has set and which says where the repository is,
// whatever folder git runs in; and without the settings of people and machines.
func Clean() []string {
	all := slices.DeleteFunc(os.Environ(), func(variable string) bool {
		return strings.HasPrefix(variable, "GIT_")
	})
	return append(all, "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_SYSTEM="+os.DevNull)
}
