package release

import (
	"fmt"
	"slices"
	"strings"

	"github.com/claimbridge/claimbridge/validation"
)

// JudgeName is the name of a release that there are rules of, without its patch level.
func JudgeName(text string) (string, error) {
	name, err := Name(text)
	if err != nil {
		return "", err
	}
	if all := validation.AllReleases(); !slices.Contains(all, name) {
		return "", fmt.Errorf("there are no rules of Kubernetes %s, only of %s", name, strings.Join(all, ", "))
	}
	return name, nil
}
