//go:build e2e

package aggregated

import (
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/claimbridge/claimbridge/config"
)

// purpose is a difference that is meant, for a reason. docs/aggregated-differences.md tells of each.
type purpose struct {
	name, reason string
	// applies to a step, by what was asked and how the key and ours answer.
	applies func(s step, key, ours *seen) bool
	// forget it, in either answer.
	forget func(*seen)
	// constrained impersonation is why; who is impersonated as before it came meets nothing of it.
	constrained bool
	// before which release of Kubernetes 1 it is there; 0 for all of them.
	before int

	met atomic.Bool
}

var purposes = append([]*purpose{
	{
		name:    "managedFields are of v1",
		reason:  "who wrote which field is kept by the cluster's API server, in the version that is stored; the fields have the same names",
		applies: func(step, *seen, *seen) bool { return true },
		forget:  func(s *seen) { walk(s.Body, forgetVersionOfFields) },
	},
	{
		name:    "Cache-Control is there twice",
		reason:  "the API server in front and the aggregated one each say it, as for every aggregated API",
		applies: func(step, *seen, *seen) bool { return true },
		forget:  func(s *seen) { s.Header["Cache-Control"] = slices.Compact(s.Header["Cache-Control"]) },
	},
	{
		name:   "answers are JSON or YAML, not protobuf",
		reason: "clients that ask for protobuf take JSON as well, and say so; what is stored is converted as JSON",
		applies: func(s step, key, ours *seen) bool {
			return strings.Contains(s.accept, asProto+",") && key.Status == ours.Status
		},
		forget: func(s *seen) { delete(s.Header, "Content-Type") },
	},
	{
		name:   "a watch by protobuf is one by JSON",
		reason: "as all answers",
		applies: func(s step, key, ours *seen) bool {
			return strings.Contains(s.accept, asProto+";stream=watch,") && key.Status == ours.Status
		},
		forget: func(s *seen) { delete(s.Header, "Content-Type"); s.Body = nil },
	},
	{
		name:   "protobuf alone cannot be had",
		reason: "as all answers; a client that takes nothing else gets 406, which says what there is",
		applies: func(s step, key, ours *seen) bool {
			return s.accept == asProto && key.Status == http.StatusOK && ours.Status == http.StatusNotAcceptable
		},
		forget: forgetAll,
	},
	{
		name:    "406 says which types there are in words of its own",
		reason:  "they are fewer: there is no protobuf",
		applies: both(http.StatusNotAcceptable),
		forget:  forgetText,
	},
	{
		name:   "`application/*` is JSON",
		reason: "the API server of the key answers 406 to it, and JSON to */*",
		applies: func(s step, key, ours *seen) bool {
			return s.accept == "application/*" && key.Status == http.StatusNotAcceptable && ours.Status == http.StatusOK
		},
		forget: forgetAll,
	},
	{
		name:   "an object of another group is refused in other words",
		reason: "the types of other groups are not known here",
		applies: func(s step, key, ours *seen) bool {
			return (strings.Contains(s.body, "apps/v1") || strings.Contains(s.body, `"v9"`)) && both(http.StatusBadRequest)(s, key, ours)
		},
		forget: forgetText,
	},
	{
		name:   "the path `/proxy/` is refused in other words",
		reason: "it is a path of very old clients, for what these kinds never had",
		applies: func(s step, key, ours *seen) bool {
			return strings.Contains(s.path, "/proxy/") && both(http.StatusNotFound)(s, key, ours)
		},
		forget: forgetText,
	},
	{
		name:   "a patch that makes the object one of v1 is refused",
		reason: "the API server of the key reads what the patch makes as v1: it takes it in v1beta2, which has the same fields, and misses every field of v1beta1",
		applies: func(s step, _, ours *seen) bool {
			return s.content == mergePatch && strings.Contains(s.body, `"apiVersion":"resource.k8s.io/v1"`) && ours.Status == http.StatusUnprocessableEntity
		},
		forget: forgetAll,
	},
	{
		name:    "errors quote the stored object with managedFields of v1",
		reason:  "a patch that cannot be made is answered with the object that it would make, managedFields and all",
		applies: both(http.StatusUnprocessableEntity),
		forget: func(s *seen) {
			walk(s.Body, func(object map[string]any) {
				if text, is := object["message"].(string); is && strings.Contains(text, "managedFields") {
					object["message"] = ofLibrary.ReplaceAllString(ofVersion.ReplaceAllString(text, "VERSION"), "scheme.go")
				}
			})
		},
	},
	{
		name:   "discovery has claims and their kin alone",
		reason: "device taint rules, which the API server of the key has in v1beta2 as well, are not served; hashes of stored versions are those of v1",
		applies: func(s step, _, _ *seen) bool {
			return strings.HasPrefix(s.path, "/apis/<v>") && !strings.Contains(s.path, "/namespaces/")
		},
		forget: func(s *seen) { walk(s.Body, forgetTaintRules) },
	},
	{
		name:    "a field that 1.37 has renamed is not known",
		reason:  "the types are of 1.37; nodeAllocatableResourceMappings is off by default in 1.36, which drops it",
		applies: func(s step, _, _ *seen) bool { return strings.Contains(s.body, "nodeAllocatableResourceMappings") },
		forget: func(s *seen) {
			s.forgetWarnings(func(text string) bool { return strings.Contains(text, "nodeAllocatableResourceMappings") })
		},
	},
	{
		name:   "nodes are not impersonated",
		reason: "kubelets speak v1; the manifests give no right to act as a node",
		applies: func(s step, _, ours *seen) bool {
			return strings.HasPrefix(s.as, "system:node:") && ours.Status == http.StatusForbidden && strings.Contains(message(ours), "impersonate-on:arbitrary-node:")
		},
		forget: forgetAll, constrained: true,
	},
	{
		name:   "where the pod of a service account runs is not known",
		reason: "impersonating a service account takes its name alone, so the right associated-node: cannot be had through an old version; arbitrary-node: can",
		applies: func(s step, key, ours *seen) bool {
			return s.as == driver && key.Status == http.StatusOK && ours.Status == http.StatusUnprocessableEntity && strings.Contains(message(ours), "arbitrary-node:")
		},
		forget: forgetAll, constrained: true,
	},
}, ofReleases...)

func both(status int) func(step, *seen, *seen) bool {
	return func(_ step, key, ours *seen) bool { return key.Status == status && ours.Status == status }
}

func message(s *seen) string {
	status, _ := s.Body.(map[string]any)
	text, _ := status["message"].(string)
	return text
}

func forgetAll(s *seen) { *s = seen{} }

// forgetText of an error: that it is one, and its code, stay.
func forgetText(s *seen) {
	s.Header = nil
	walk(s.Body, func(object map[string]any) {
		delete(object, "message")
		delete(object, "details")
	})
}

var (
	ofVersion = regexp.MustCompile(`resource\.k8s\.io/v1(beta[12])?`)
	ofLibrary = regexp.MustCompile(`scheme\.go:\d+`) // a place in the sources of a release
)

func forgetVersionOfFields(object map[string]any) {
	fields, _ := object["managedFields"].([]any)
	for _, f := range fields {
		if entry, is := f.(map[string]any); is {
			delete(entry, "apiVersion")
		}
	}
}

func forgetTaintRules(object map[string]any) {
	delete(object, "storageVersionHash")
	if all, is := object["resources"].([]any); is {
		object["resources"] = slices.DeleteFunc(all, func(r any) bool { return r.(map[string]any)["kind"] == "DeviceTaintRule" })
	}
}

// The page of the differences has each of them.
func TestThePageHasEveryPurpose(t *testing.T) {
	page, err := os.ReadFile(filepath.Join("..", "..", "docs", "aggregated-differences.md"))
	if err != nil {
		t.Fatal(err)
	}
	rows := map[string]bool{}
	for line := range strings.Lines(string(page)) {
		if cells := strings.Split(line, " | "); len(cells) == 2 {
			rows[strings.TrimPrefix(cells[0], "| ")] = true
		}
	}
	for _, p := range purposes {
		if !rows[p.name] {
			t.Errorf("docs/aggregated-differences.md has no row %q: %s", p.name, p.reason)
		}
	}
}

// walk over all objects in a body.
func walk(body any, do func(map[string]any)) {
	switch body := body.(type) {
	case map[string]any:
		do(body)
		for _, inner := range body {
			walk(inner, do)
		}
	case []any:
		for _, inner := range body {
			walk(inner, do)
		}
	}
}

// purposesAreMet: what is no difference any more must not hide one. Older releases have more of them, and may lack one.
func purposesAreMet(t *testing.T) {
	t.Helper()
	if slices.ContainsFunc(ofReleases, func(p *purpose) bool { return p.concerns(key.minor) }) {
		return
	}
	for _, p := range purposes {
		excused := p.constrained && config.ActAs(os.Getenv(envActAs)) == config.CallerLegacy
		if !p.met.Load() && !excused && p.before == 0 {
			t.Errorf("nothing differs any more by %q: take it out of the table", p.name)
		}
	}
}
