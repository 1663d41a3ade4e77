package release

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/claimbridge/claimbridge/api"
	"github.com/claimbridge/claimbridge/internal/conversion"
	"github.com/claimbridge/claimbridge/validation"
)

// ParseNameWithRules returns the name, without its patch level, of a release whose rules are known.
func ParseNameWithRules(text string) (string, error) {
	name, err := ParseName(text)
	if all := validation.AllReleases(); err == nil && !slices.Contains(all, name) {
		err = fmt.Errorf("no rules for Kubernetes %s: must be one of %s", name, strings.Join(all, ", "))
	}
	return name, err
}

// DefaultsHelp returns a line of help for each version, with the release whose rules validate it by default.
func DefaultsHelp() string {
	var lines []string
	for _, v := range api.Versions() {
		lines = append(lines, v.Name+" as "+v.Release)
	}
	return strings.Join(lines, "\n  ")
}

// Validate validates a write of an object with the rules of a release that serves its version. If the release is empty
// or has no rules for the version, it uses those of the version's default release: Kubernetes 1.27 to 1.29 are
// validated as 1.30. The stored object is validated with the rules of the same release if that serves the storage
// version, as the API server does.
func Validate(request validation.Request, version, release string) (validation.Result, error) {
	request.Release, request.StoredRelease = rulesOf(version, release), rulesOf(conversion.Stored(), release)
	return validation.Validate(context.Background(), request)
}

// rulesOf returns the release if it has rules for a version, or "", which selects the version's default release.
func rulesOf(version, release string) string {
	if slices.Contains(validation.Releases(version), release) {
		return release
	}
	return ""
}

// DroppedFields describes the fields of a write that the API server of a release drops with its default feature gates.
// With strict field validation it rejects the object.
func DroppedFields(request validation.Request, release string) (texts []string, err error) {
	request.Release = release
	fields, err := validation.DroppedFields(request)
	for _, f := range fields {
		const drops = "its API server drops it, or rejects the object if the client requests strict field " +
			"validation, as kubectl does"
		what := "drops this field unless you enable its feature gate, which is off by default"
		switch {
		case f.Since != "":
			what = fmt.Sprintf("does not have this field, which was added in %s; %s", f.Since, drops)
		case f.RemovedIn != "":
			what = fmt.Sprintf("does not have this field, which was removed in %s; %s", f.RemovedIn, drops)
		}
		texts = append(texts, f.Field+": Kubernetes "+release+" "+what)
	}
	return texts, err
}
