package release

import (
	"fmt"
	"slices"
	"strings"

	"github.com/claimbridge/claimbridge/api"
	"github.com/claimbridge/claimbridge/validation"
)

// Judges are the releases that there are rules of, oldest first.
func Judges() []string {
	return slices.DeleteFunc(Names(), func(name string) bool {
		return !slices.ContainsFunc(api.Names(), func(version string) bool { return slices.Contains(validation.Releases(version), name) })
	})
}

// JudgeName is the name of a release that there are rules of, without its patch level.
func JudgeName(text string) (string, error) {
	name, err := Name(text)
	if err != nil {
		return "", err
	}
	if all := Judges(); !slices.Contains(all, name) {
		return "", fmt.Errorf("there are no rules of Kubernetes %s, only of %s", name, strings.Join(all, ", "))
	}
	return name, nil
}
