// Package gitenv isolates tests that run git from the user's repository and settings.
package gitenv

import (
	"os"
	"slices"
	"strings"
)

// Clean returns the environment of the process without variables that affect git: GIT_DIR and others that a git hook
// sets, and the git configuration of the user and the machine.
func Clean() []string {
	env := slices.DeleteFunc(os.Environ(), func(variable string) bool {
		return strings.HasPrefix(variable, "GIT_")
	})
	return append(env, "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_SYSTEM="+os.DevNull)
}
