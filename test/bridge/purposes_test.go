//go:build e2e

package bridge

import (
	"net/http"
	"os"
	"regexp"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/claimbridge/claimbridge/test/testkit/must"
)

// purpose is a difference that is meant, and the row of docs/bridge.md that tells of it, or how the
// line begins that does; the page says why.
type purpose struct {
	name, row string
	// applies to a step, by what was asked and how the key and ours answer.
	applies func(s step, key, ours *seen) bool
	// forget it, in either answer.
	forget func(*seen)
	// served and asked versions that it is about; nil: all.
	served func(served, asked string) bool

	met atomic.Bool
}

const (
	onlyJSON     = "responses are compact JSON, not protobuf or YAML"
	someErrors   = "some requests are rejected with another code or message"
	messagesSame = "messages of errors are those of the cluster for the served version"
)

var purposes = []*purpose{
	{
		name:    "managedFields are of the served version",
		row:     "`managedFields` have the version that the cluster serves",
		applies: func(step, *seen, *seen) bool { return true },
		forget:  func(s *seen) { walk(s.Body, forgetVersionOfFields) },
	},
	{
		name:    "warnings are about the served version",
		row:     "warnings about deprecated versions are about the version that the cluster serves",
		applies: func(step, *seen, *seen) bool { return true },
		forget:  forgetWarnings,
	},
	{
		name: "responses are not protobuf",
		row:  onlyJSON,
		applies: func(s step, key, ours *seen) bool {
			return strings.Contains(s.accept, asProto+",") && key.Status == ours.Status
		},
		forget: func(s *seen) { delete(s.Header, "Content-Type") },
	},
	{
		name: "a watch by protobuf is one by JSON",
		row:  onlyJSON,
		applies: func(s step, key, ours *seen) bool {
			return strings.Contains(s.accept, asProto+";stream=watch,") && key.Status == ours.Status
		},
		forget: func(s *seen) { delete(s.Header, "Content-Type"); s.Body = nil },
	},
	{
		name: "protobuf alone cannot be had",
		row:  onlyJSON,
		applies: func(s step, key, ours *seen) bool {
			return s.accept == asProto && key.Status == http.StatusOK && ours.Status == http.StatusNotAcceptable
		},
		forget: forgetAll,
	},
	{
		name: "media types that are not supported have messages of the bridge",
		row:  onlyJSON,
		applies: func(s step, key, ours *seen) bool {
			return both(http.StatusNotAcceptable)(s, key, ours) || both(http.StatusUnsupportedMediaType)(s, key, ours)
		},
		forget: func(s *seen) {
			forgetText(s)
			walk(s.Body, func(object map[string]any) { delete(object, "reason") })
		},
	},
	{
		name: "unknown fields are rejected",
		row:  "unknown fields are rejected (400, or 422 for a patch) unless the client sends `fieldValidation=Ignore`",
		applies: func(s step, _, ours *seen) bool {
			return s.method != http.MethodGet && (ours.Status == http.StatusBadRequest ||
				ours.Status == http.StatusUnprocessableEntity) && unknown.MatchString(message(ours))
		},
		forget: forgetAll,
	},
	{
		// The API server of the key answers 406 to it, and JSON to */*.
		name: "`application/*` is JSON",
		row:  onlyJSON,
		applies: func(s step, key, ours *seen) bool {
			return s.accept == "application/*" && key.Status == http.StatusNotAcceptable && ours.Status == http.StatusOK
		},
		forget: forgetAll,
	},
	{
		name: "an object of another group is refused in other words",
		row:  someErrors,
		applies: func(s step, key, ours *seen) bool {
			return (strings.Contains(s.body, "apps/v1") ||
				strings.Contains(s.body, `"v9"`)) && both(http.StatusBadRequest)(s, key, ours)
		},
		forget: forgetText,
	},
	{
		// The API server of the key reads what the patch makes as v1: it takes it in v1beta2, which
		// has the same fields, and misses every field of v1beta1.
		name: "a patch that changes the type of the object is rejected",
		row:  someErrors,
		applies: func(s step, _, ours *seen) bool {
			changesType := strings.Contains(s.body, `"apiVersion":"resource.k8s.io/v1"`) ||
				strings.Contains(s.body, `"kind":"Other"`)
			return s.content == mergePatch && changesType && ours.Status == http.StatusUnprocessableEntity
		},
		forget: forgetAll,
	},
	{
		name: "what is wrong with a body is said before who may not send it",
		row:  "an invalid body is reported first",
		applies: func(s step, key, ours *seen) bool {
			return s.method != http.MethodGet && key.Status == http.StatusForbidden &&
				(ours.Status == http.StatusBadRequest || ours.Status == http.StatusUnprocessableEntity)
		},
		forget: forgetAll,
	},
	{
		name:   "a patch of what two versions write in different ways takes the right to get",
		row:    "a patch of `spec` of claims, templates and slices from or to v1beta1 requires the `get` permission",
		served: oneIsFlat,
		applies: func(s step, key, ours *seen) bool {
			return s.method == http.MethodPatch && strings.Contains(s.body, "spec") &&
				(key.Status == http.StatusForbidden || ours.Status == http.StatusForbidden)
		},
		forget: forgetAll,
	},
	{
		name:   "an empty exactly is none",
		row:    "an empty `exactly` is treated as absent on a v1beta1 cluster",
		served: func(served, _ string) bool { return served == "v1beta1" },
		applies: func(s step, key, ours *seen) bool {
			return strings.Contains(s.body, `"exactly":{`) &&
				strings.Contains(message(ours), "exactly one of `exactly` or `firstAvailable`") &&
				both(http.StatusUnprocessableEntity)(s, key, ours)
		},
		forget: forgetText,
	},
	{
		name:   "without v1 a node has no slices",
		row:    "kubelets get no slices on clusters of 1.36 that serve only v1beta1",
		served: func(served, _ string) bool { return served != "v1" },
		applies: func(s step, _, ours *seen) bool {
			return strings.HasPrefix(s.as, "system:node:") && ours.Status == http.StatusForbidden &&
				strings.Contains(message(ours), "no relationship found")
		},
		forget: forgetAll,
	},
	{
		// Hashes of stored versions are those of v1.
		name: "discovery has claims and their kin alone",
		row:  "discovery of another version has no DeviceTaintRule",
		applies: func(s step, _, _ *seen) bool {
			return strings.HasPrefix(s.path, "/apis/<v>") && !strings.Contains(s.path, "/namespaces/")
		},
		forget: func(s *seen) { walk(s.Body, forgetTaintRules) },
	},
	{
		name: "messages are about the served version",
		row:  messagesSame,
		applies: func(_ step, key, ours *seen) bool {
			return key.Status == ours.Status && key.Status >= http.StatusBadRequest
		},
		forget: func(s *seen) {
			walk(s.Body, func(object map[string]any) {
				if object["code"] != nil || object["field"] != nil {
					delete(object, "message")
				}
				if field, is := object["field"].(string); is {
					object["field"] = wrapper.ReplaceAllString(field, "$1")
				}
			})
		},
	},
}

// unknown is in messages of API servers about fields that they do not know, or that occur twice.
var unknown = regexp.MustCompile(`strict decoding error|unknown field|duplicate field|two members with the same name`)

// wrapper of a field in some versions.
var wrapper = regexp.MustCompile(`(\.devices(?:\.requests)?\[\d+\])\.(?:exactly|basic)`)

// forgetWarnings about deprecated versions, and about the version of an error.
func forgetWarnings(s *seen) {
	s.Header["Warning"] = slices.DeleteFunc(s.Header["Warning"], func(warning string) bool {
		return strings.Contains(warning, " is deprecated in v") || unknown.MatchString(warning) ||
			strings.Contains(warning, "the bridge sent this request as")
	})
	if len(s.Header["Warning"]) == 0 {
		delete(s.Header, "Warning")
	}
}

// oneIsFlat: v1beta1 writes requests and devices in its own way.
func oneIsFlat(served, asked string) bool { return served == "v1beta1" || asked == "v1beta1" }

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
		object["resources"] = slices.DeleteFunc(all, func(r any) bool {
			return r.(map[string]any)["kind"] == "DeviceTaintRule"
		})
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

// TestUsersAreToldOfEveryPurpose by the page.
func TestUsersAreToldOfEveryPurpose(t *testing.T) {
	page := string(must.Get(os.ReadFile("../../docs/bridge.md"))(t))
	for _, p := range purposes {
		if !strings.Contains(page, "\n| "+p.row+" |") && !strings.Contains(page, "\n* "+p.row) {
			t.Errorf("%s: docs/bridge.md does not tell %q", p.name, p.row)
		}
	}
}

// purposesAreMet: what is no difference any more must not hide one.
func purposesAreMet(t *testing.T) {
	t.Helper()
	for _, p := range purposes {
		if !p.met.Load() && len(alone) == len(whole) {
			t.Errorf("nothing differs any more by %q: take it out of the table", p.name)
		}
	}
}
