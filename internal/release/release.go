// Package release maps releases of Kubernetes to the API versions of claims that they serve, and validates writes by
// the rules of a release.
package release

import (
	"fmt"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"k8s.io/apimachinery/pkg/version"

	"github.com/claimbridge/claimbridge/api"
	"github.com/claimbridge/claimbridge/internal/variables"
)

// Target is the target of a conversion: a version, and a release if the user named one.
type Target struct{ Version, Release string }

func (t Target) String() string {
	if t.Release == "" {
		return t.Version
	}
	return t.Version + " of Kubernetes " + t.Release
}

// ParseTarget parses a version, or a release like 1.36, v1.36 or v1.36.2. The version of a release is the one that its
// discovery prefers for claims when all versions are served. An alpha version is never preferred, even if it is newer
// than v1.
func ParseTarget(text string) (Target, error) {
	if _, known := api.Find(text); known {
		return Target{Version: text}, nil
	}
	if !releaseText.MatchString(text) {
		return Target{}, fmt.Errorf("%s; or %s", UnknownVersion(text), RangeText())
	}
	name, err := ParseName(text)
	if err != nil {
		return Target{}, err
	}
	preferred := slices.MaxFunc(ServedVersions(name), version.CompareKubeAwareVersionStrings)
	return Target{Version: preferred, Release: name}, nil
}

var releaseText = regexp.MustCompile(`^v?(\d+\.\d+)(\.\d+)?([-+].*)?$`)

// ParseName returns the name of a release without its patch level. The error lists the known releases.
func ParseName(text string) (string, error) {
	match := releaseText.FindStringSubmatch(text)
	if match == nil || !slices.Contains(Names(), match[1]) {
		return "", fmt.Errorf("unknown release %.20q: must be one of the %s", text, RangeText())
	}
	return match[1], nil
}

// RangeText describes the known releases, for messages.
func RangeText() string {
	names := Names()
	return "releases from " + names[0] + " to " + names[len(names)-1]
}

// Names returns the names of the releases with claims, oldest first.
func Names() (names []string) {
	for _, r := range api.Releases() {
		names = append(names, r.Name)
	}
	return names
}

// WriteNote writes that a release is not published yet, and which feature gates it may still enable by default. It
// writes nothing for a published release, or for an empty name.
func WriteNote(out io.Writer, release string) {
	r, _ := api.FindRelease(release)
	if r.Provisional == "" {
		return
	}
	fmt.Fprintf(out, "note: Kubernetes %s is not released yet: its rules are provisional, based on %s\n", release,
		r.Provisional)
	if len(r.UncertainGates) > 0 {
		fmt.Fprintf(out, "note: Kubernetes %s may turn on feature gates that are off in %s: %s\n", release,
			r.Provisional, strings.Join(r.UncertainGates, ", "))
	}
}

// ServedVersions returns the versions of claims that a release serves, by default or if they are enabled, oldest first.
func ServedVersions(release string) (versions []string) {
	r, _ := api.FindRelease(release)
	for _, v := range api.Versions() {
		if r.Serves(v) {
			versions = append(versions, v.Name)
		}
	}
	return versions
}

// UnknownVersion returns the message for a version that does not exist. It lists the known versions with their
// releases.
func UnknownVersion(version string) string {
	var known []string
	for _, v := range api.Versions() {
		known = append(known, v.Name+" ("+servedRange(v)+")")
	}
	return fmt.Sprintf("unknown version %.40q: must be one of %s", version, strings.Join(known, ", "))
}

// UnknownVersionInObject is UnknownVersion for the version of an object, which may be a variable.
func UnknownVersionInObject(version string) string {
	if variables.Has(version) {
		return variables.UnknownVersion(version)
	}
	return UnknownVersion(version)
}

// servedRange describes the releases that serve a version.
func servedRange(v api.Version) string {
	if v.RemovedIn == "" {
		return "since Kubernetes " + v.Since
	}
	last := "1." + strconv.Itoa(api.Minor(v.RemovedIn)-1)
	if last == v.Since {
		return "Kubernetes " + last
	}
	return fmt.Sprintf("Kubernetes %s to %s", v.Since, last)
}

// WhyNotServed says why a release does not serve a version, and which versions it serves. It is empty if the release
// serves the version, or if the version is not known.
func WhyNotServed(version, release string) string {
	v, known := api.Find(version)
	if !known || slices.Contains(v.ServingReleases(), release) {
		return ""
	}
	why := "was added in " + v.Since
	if api.Minor(release) > api.Minor(v.Since) {
		why = "was removed in " + v.RemovedIn
	}
	served := strings.Join(ServedVersions(release), ", ")
	if byDefault, optional := servedByDefault(release); byDefault != "" && len(optional) > 0 {
		served = byDefault + " and, if enabled, " + strings.Join(optional, " and ")
	}
	return fmt.Sprintf("%s %s; Kubernetes %s serves %s", version, why, release, served)
}

// servedByDefault returns the version that a release serves by default, which is the stable one or empty, and the
// versions that it serves if they are enabled.
func servedByDefault(release string) (byDefault string, optional []string) {
	for _, name := range ServedVersions(release) {
		if strings.Contains(name, "alpha") || strings.Contains(name, "beta") {
			optional = append(optional, name)
		} else {
			byDefault = name
		}
	}
	return byDefault, optional
}

// OffByDefault says that a release serves a version only if it is enabled. It is empty if the release serves the
// version by default or not at all, or serves no version by default.
func OffByDefault(version, release string) string {
	byDefault, optional := servedByDefault(release)
	if byDefault == "" || !slices.Contains(optional, version) {
		return ""
	}
	return fmt.Sprintf("%s is off by default in Kubernetes %s; write %s, or enable it with --runtime-config=%s/%s=true",
		version, release, byDefault, api.Group, version)
}
