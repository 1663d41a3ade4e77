//go:build e2e

package aggregated

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// ofReleases are the differences from releases before the one that is pinned, which can be had as KUBEBUILDER_ASSETS.
var ofReleases = []*purpose{
	{
		name:    "a version is called deprecated before it is",
		reason:  "the server knows since which release a version is deprecated, and does not ask of which release the cluster is",
		applies: func(step, *seen, *seen) bool { return true },
		forget: func(s *seen) {
			s.forgetWarnings(func(text string) bool {
				since := deprecatedSince.FindStringSubmatch(text)
				if since == nil {
					return false
				}
				minor, err := strconv.Atoi(since[1])
				return err == nil && minor > key.minor
			})
		},
		before: 36,
	},
	{
		name: "who writes a status owns metadata",
		reason: "up to 1.34 managedFields name the metadata of a status write, which does not change them: those that were sent in-tree, and those of the stored object here. " +
			"What is noted anew makes a resourceVersion more",
		applies: func(step, *seen, *seen) bool { return true },
		forget: func(s *seen) {
			walk(s.Body, func(object map[string]any) {
				delete(object, "managedFields")
				delete(object, "resourceVersion")
				if text, is := object["message"].(string); is && strings.Contains(text, "managedFields") {
					delete(object, "message")
				}
			})
		},
		before: 35,
	},
}

var deprecatedSince = regexp.MustCompile(`is deprecated in v1\.(\d+)\+`)

// concerns a cluster of Kubernetes 1.minor.
func (p *purpose) concerns(minor int) bool { return p.before == 0 || minor < p.before }

func (s *seen) forgetWarnings(which func(text string) bool) {
	s.Header["Warning"] = slices.DeleteFunc(s.Header["Warning"], which)
	if len(s.Header["Warning"]) == 0 {
		delete(s.Header, "Warning")
	}
}
