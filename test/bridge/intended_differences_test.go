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

// intendedDifference is a difference from the reference API server that is documented in a row of docs/bridge.md.
type intendedDifference struct {
	// row is the first cell of the row. Several differences can have the same row.
	row string
	// appliesTo reports whether responses to a step may differ.
	appliesTo func(s step, reference, bridge *normalizedResponse) bool
	// ignore removes the difference from a response.
	ignore func(*normalizedResponse)
	// versions reports whether the difference applies to a pair of versions. If it is nil, it applies to all pairs.
	versions func(served, requested string) bool

	// occurred is set when a comparison finds the difference.
	occurred atomic.Bool
}

const (
	onlyJSON   = "responses are compact JSON, not protobuf or YAML"
	someErrors = "some requests are rejected with another code or message"
)

var intendedDifferences = []*intendedDifference{
	{
		row:       "`managedFields` have the version that the cluster serves",
		appliesTo: func(step, *normalizedResponse, *normalizedResponse) bool { return true },
		ignore:    func(n *normalizedResponse) { walk(n.Body, ignoreManagedFieldsVersion) },
	},
	{
		row:       "warnings about deprecated versions are about the version that the cluster serves",
		appliesTo: func(step, *normalizedResponse, *normalizedResponse) bool { return true },
		ignore:    ignoreWarnings,
	},
	{ // the client prefers protobuf
		row: onlyJSON,
		appliesTo: func(s step, reference, bridge *normalizedResponse) bool {
			return strings.Contains(s.accept, protobufType+",") && reference.Status == bridge.Status
		},
		ignore: func(n *normalizedResponse) { delete(n.Header, "Content-Type") },
	},
	{ // a watch whose client prefers protobuf
		row: onlyJSON,
		appliesTo: func(s step, reference, bridge *normalizedResponse) bool {
			return strings.Contains(s.accept, protobufType+";stream=watch,") && reference.Status == bridge.Status
		},
		ignore: func(n *normalizedResponse) { delete(n.Header, "Content-Type"); n.Body = nil },
	},
	{ // the client accepts only protobuf
		row: onlyJSON,
		appliesTo: func(s step, reference, bridge *normalizedResponse) bool {
			return s.accept == protobufType && reference.Status == http.StatusOK && bridge.Status == http.StatusNotAcceptable
		},
		ignore: ignoreAll,
	},
	{ // the messages about media types are those of the bridge
		row: onlyJSON,
		appliesTo: func(s step, reference, bridge *normalizedResponse) bool {
			return bothHaveStatus(http.StatusNotAcceptable)(s, reference, bridge) ||
				bothHaveStatus(http.StatusUnsupportedMediaType)(s, reference, bridge)
		},
		ignore: func(n *normalizedResponse) {
			ignoreMessage(n)
			walk(n.Body, func(object map[string]any) { delete(object, "reason") })
		},
	},
	{
		row: "unknown fields are rejected (400, or 422 for a patch) unless the client sends `fieldValidation=Ignore`",
		appliesTo: func(s step, _, bridge *normalizedResponse) bool {
			return s.method != http.MethodGet && (bridge.Status == http.StatusBadRequest ||
				bridge.Status == http.StatusUnprocessableEntity) && unknownField.MatchString(messageOf(bridge))
		},
		ignore: ignoreAll,
	},
	{ // an object of another group has another message
		row: someErrors,
		appliesTo: func(s step, reference, bridge *normalizedResponse) bool {
			return (strings.Contains(s.body, "apps/v1") ||
				strings.Contains(s.body, `"v9"`)) && bothHaveStatus(http.StatusBadRequest)(s, reference, bridge)
		},
		ignore: ignoreMessage,
	},
	{
		// A patch that changes the type of the object is rejected. The reference decodes the patched object as v1: in
		// a session of v1beta2 it accepts it, because the fields are the same, and in one of v1beta1 it reports unknown
		// fields.
		row: someErrors,
		appliesTo: func(s step, _, bridge *normalizedResponse) bool {
			changesType := strings.Contains(s.body, `"apiVersion":"resource.k8s.io/v1"`) ||
				strings.Contains(s.body, `"kind":"Other"`)
			return s.contentType == mergePatch && changesType && bridge.Status == http.StatusUnprocessableEntity
		},
		ignore: ignoreAll,
	},
	{ // v1beta1 cannot represent an empty exactly, so a cluster of v1beta1 reports that exactly is absent
		row:      someErrors,
		versions: func(served, _ string) bool { return served == "v1beta1" },
		appliesTo: func(s step, reference, bridge *normalizedResponse) bool {
			return strings.Contains(s.body, `"exactly":{`) &&
				strings.Contains(messageOf(bridge), "exactly one of `exactly` or `firstAvailable`") &&
				bothHaveStatus(http.StatusUnprocessableEntity)(s, reference, bridge)
		},
		ignore: ignoreMessage,
	},
	{
		row: "an invalid body is reported first",
		appliesTo: func(s step, reference, bridge *normalizedResponse) bool {
			return s.method != http.MethodGet && reference.Status == http.StatusForbidden &&
				(bridge.Status == http.StatusBadRequest || bridge.Status == http.StatusUnprocessableEntity)
		},
		ignore: ignoreAll,
	},
	{
		row:      "a patch of `spec` of claims, templates and slices from or to v1beta1 requires the `get` permission",
		versions: involvesV1beta1,
		appliesTo: func(s step, reference, bridge *normalizedResponse) bool {
			return s.method == http.MethodPatch && strings.Contains(s.body, "spec") &&
				(reference.Status == http.StatusForbidden || bridge.Status == http.StatusForbidden)
		},
		ignore: ignoreAll,
	},
	{
		row:      "kubelets get no slices on clusters of 1.36 that don't serve v1",
		versions: func(served, _ string) bool { return served != "v1" },
		appliesTo: func(s step, _, bridge *normalizedResponse) bool {
			return strings.HasPrefix(s.user, "system:node:") && bridge.Status == http.StatusForbidden &&
				strings.Contains(messageOf(bridge), "no relationship found")
		},
		ignore: ignoreAll,
	},
	{ // also ignores storageVersionHash, which is that of v1
		row: "discovery of another version has no DeviceTaintRule",
		appliesTo: func(s step, _, _ *normalizedResponse) bool {
			return strings.HasPrefix(s.path, "/apis/<apiVersion>") && !strings.Contains(s.path, "/namespaces/")
		},
		ignore: func(n *normalizedResponse) { walk(n.Body, ignoreTaintRules) },
	},
	{
		row: "messages of errors are those of the cluster for the served version",
		appliesTo: func(_ step, reference, bridge *normalizedResponse) bool {
			return reference.Status == bridge.Status && reference.Status >= http.StatusBadRequest
		},
		ignore: func(n *normalizedResponse) {
			walk(n.Body, func(object map[string]any) {
				if object["code"] != nil || object["field"] != nil {
					delete(object, "message")
				}
				if field, isString := object["field"].(string); isString {
					object["field"] = wrapperField.ReplaceAllString(field, "$1")
				}
			})
		},
	},
}

// unknownField matches messages of API servers about unknown or duplicate fields.
var unknownField = regexp.MustCompile(`strict decoding error|unknown field|duplicate (field|key)`)

// wrapperField matches a field path with exactly or basic, which only some versions have.
var wrapperField = regexp.MustCompile(`(\.devices(?:\.requests)?\[\d+\])\.(?:exactly|basic)`)

// ignoreWarnings removes warnings about deprecated versions, and about the version of an error.
func ignoreWarnings(n *normalizedResponse) {
	n.Header["Warning"] = slices.DeleteFunc(n.Header["Warning"], func(warning string) bool {
		return strings.Contains(warning, " is deprecated in v") || unknownField.MatchString(warning) ||
			strings.Contains(warning, "the bridge sent this request as")
	})
	if len(n.Header["Warning"]) == 0 {
		delete(n.Header, "Warning")
	}
}

// involvesV1beta1 reports whether two versions have different fields: requests and devices differ in v1beta1.
func involvesV1beta1(served, requested string) bool {
	return served == "v1beta1" || requested == "v1beta1"
}

// bothHaveStatus returns a function that reports whether both responses have a status code.
func bothHaveStatus(status int) func(step, *normalizedResponse, *normalizedResponse) bool {
	return func(_ step, reference, bridge *normalizedResponse) bool {
		return reference.Status == status && bridge.Status == status
	}
}

// messageOf returns the message of an error.
func messageOf(n *normalizedResponse) string {
	status, _ := n.Body.(map[string]any)
	text, _ := status["message"].(string)
	return text
}

// ignoreAll removes everything, including the status code.
func ignoreAll(n *normalizedResponse) { *n = normalizedResponse{} }

// ignoreMessage removes the message and the details of an error, but not its code and reason.
func ignoreMessage(n *normalizedResponse) {
	n.Header = nil
	walk(n.Body, func(object map[string]any) {
		delete(object, "message")
		delete(object, "details")
	})
}

func ignoreManagedFieldsVersion(object map[string]any) {
	fields, _ := object["managedFields"].([]any)
	for _, f := range fields {
		if entry, isObject := f.(map[string]any); isObject {
			delete(entry, "apiVersion")
		}
	}
}

func ignoreTaintRules(object map[string]any) {
	delete(object, "storageVersionHash")
	if resources, isList := object["resources"].([]any); isList {
		object["resources"] = slices.DeleteFunc(resources, func(r any) bool {
			return r.(map[string]any)["kind"] == "DeviceTaintRule"
		})
	}
}

// walk visits all objects in a body.
func walk(body any, visit func(map[string]any)) {
	switch body := body.(type) {
	case map[string]any:
		visit(body)
		for _, inner := range body {
			walk(inner, visit)
		}
	case []any:
		for _, inner := range body {
			walk(inner, visit)
		}
	}
}

// TestIntendedDifferencesAreDocumented checks that each intended difference has a row in docs/bridge.md.
func TestIntendedDifferencesAreDocumented(t *testing.T) {
	page := string(must.Get(os.ReadFile("../../docs/bridge.md"))(t))
	for _, d := range intendedDifferences {
		if !strings.Contains(page, "\n| "+d.row+" |") {
			t.Errorf("docs/bridge.md has no row %q: add it to the table of differences", d.row)
		}
	}
}

// checkAllIntendedDifferencesOccurred fails the test if an intended difference no longer occurs, because it might hide
// another difference.
func checkAllIntendedDifferencesOccurred(t *testing.T) {
	t.Helper()
	if len(singleVersionClusters) < len(testedVersions) {
		return
	}
	for i, d := range intendedDifferences {
		if !d.occurred.Load() {
			t.Errorf("%q (item %d) no longer occurs: remove it from intendedDifferences and docs/bridge.md", d.row, i)
		}
	}
}
