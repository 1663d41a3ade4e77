// Package gitenv isolates tests that run git from the repository and the settings of the user.
package gitenv

import (
	"os"
	"slices"
	"strings"
)

// Clean returns an environment for git in a folder of a test: that of the process without GIT_DIR and the other
// variables that a hook sets, and without the settings of the user and the machine.
func Clean() []string {
	all := slices.DeleteFunc(os.Environ(), func(variable string) bool {
		return strings.HasPrefix(variable, "GIT_")
	})
	return append(all, "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_SYSTEM="+os.DevNull)
}
