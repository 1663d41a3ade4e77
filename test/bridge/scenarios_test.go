//go:build e2e

package bridge

import (
	"fmt"
	"net/http"
	"path/filepath"
	"strings"
	"testing"
	"text/template"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/claimbridge/claimbridge/test/testkit/must"
)

// scenarios returns the steps of all scenarios in a version: those of testdata/scenarios, and every verb as each user.
func scenarios(t testing.TB, v manifests) map[string][]step {
	t.Helper()
	stepsByScenario := map[string][]step{}
	for _, file := range must.Get(filepath.Glob("testdata/scenarios/*.txtar"))(t) {
		for _, scenario := range v.sections(t, file) {
			if stepsByScenario[scenario.Name] != nil {
				t.Fatalf("%s: duplicate scenario %q", file, scenario.Name)
			}
			stepsByScenario[scenario.Name] = parseSteps(t, string(scenario.Data))
		}
	}
	verbs := v.sections(t, "testdata/every-verb.txtar")
	for _, user := range []string{
		"nobody", "reader", "status", "status-1.35", "patcher", "creator", "updater", "deleter", "denied-by-policy",
		"many-groups",
		"system:node:worker", "root",
		"system:serviceaccount:default:impostor", unboundAccount, boundAccount,
	} {
		var steps []step
		for _, section := range verbs {
			for _, s := range parseSteps(t, string(section.Data)) {
				if section.Name == "requests" {
					s = s.asUser(user)
				}
				steps = append(steps, s)
			}
		}
		stepsByScenario["every verb as "+strings.ReplaceAll(user, ":", " ")] = steps
	}
	return stepsByScenario
}

// asUser returns the step with another user. Writes of drivers and nodes are dry runs, because the bridge rejects some
// of them, and then the state of the clusters would differ.
func (s step) asUser(user string) step {
	s.user = user
	s.line += ", by " + user
	if (user == boundAccount || strings.HasPrefix(user, "system:node:")) && s.method != http.MethodGet &&
		!strings.Contains(s.path, "dryRun") {
		separator := "?"
		if strings.Contains(s.path, "?") {
			separator = "&"
		}
		s.path += separator + "dryRun=All"
	}
	return s
}

// sections executes a template, which can call the methods of manifests, and returns the sections of its output.
func (v manifests) sections(t testing.TB, file string) []txtar.File {
	t.Helper()
	functions := template.FuncMap{
		"device":           v.device,
		"deviceRequest":    v.deviceRequest,
		"requestFieldPath": v.requestFieldPath,
		"claim":            v.claim,
		"spec":             v.spec,
		"claimTemplate":    v.claimTemplate,
		"class":            v.class,
		"slice":            v.slice,
		"apiVersion":       func() string { return "resource.k8s.io/" + string(v) },
		"allocated":        allocated,
		"repeat":           strings.Repeat,
		"replace":          strings.ReplaceAll,
	}
	var text strings.Builder
	parsed := must.Get(template.New(filepath.Base(file)).Funcs(functions).ParseFiles(file))(t)
	must.Do(t, parsed.Execute(&text, nil))
	return txtar.Parse([]byte(text.String())).Files
}

// manifests is an API version. Its methods return objects in this version as JSON.
type manifests string

// deviceRequest returns a request with a name, and fields that v1beta1 has in the request and other versions have in
// `exactly`.
func (v manifests) deviceRequest(name, fields string) string {
	if v == "v1beta1" {
		return fmt.Sprintf(`{"name":%q,%s}`, name, fields)
	}
	return fmt.Sprintf(`{"name":%q,"exactly":{%s}}`, name, fields)
}

// device returns a device of a slice.
func (v manifests) device(name string, fields ...string) string {
	if v == "v1beta1" {
		return fmt.Sprintf(`{"name":%q,"basic":{%s}}`, name, strings.Join(fields, ""))
	}
	return fmt.Sprintf(`{"name":%q%s}`, name, strings.Join(append([]string{""}, fields...), ","))
}

// requestFieldPath returns the JSON pointer of a field of the first request of a claim.
func (v manifests) requestFieldPath(field string) string {
	if v == "v1beta1" {
		return "/spec/devices/requests/0/" + field
	}
	return "/spec/devices/requests/0/exactly/" + field
}

// claim returns a claim with a request for a device. The optional metadata begins with a comma: `,"labels":{}`.
func (v manifests) claim(name string, metadata ...string) string {
	return fmt.Sprintf(`{"apiVersion":"<apiVersion>","kind":"ResourceClaim","metadata":{"name":%q%s},"spec":%s}`, name,
		strings.Join(metadata, ""), v.spec())
}

func (v manifests) spec() string {
	return `{"devices":{"requests":[` + v.deviceRequest("gpu", `"deviceClassName":"gpu.example.com"`) + `]}}`
}

func (v manifests) claimTemplate(name string, metadata ...string) string {
	return fmt.Sprintf(`{"apiVersion":"<apiVersion>","kind":"ResourceClaimTemplate","metadata":{"name":%q%s},`+
		`"spec":{"metadata":{"labels":{"of":"template"}},"spec":%s}}`,
		name, strings.Join(metadata, ""), v.spec())
}

func (v manifests) class(name string, metadata ...string) string {
	return fmt.Sprintf(`{"apiVersion":"<apiVersion>","kind":"DeviceClass","metadata":{"name":%q%s},`+
		`"spec":{"selectors":[{"cel":{"expression":"device.driver == \"gpu.example.com\""}}]}}`,
		name, strings.Join(metadata, ""))
}

func (v manifests) slice(name, metadata string, devices ...string) string {
	return fmt.Sprintf(`{"apiVersion":"<apiVersion>","kind":"ResourceSlice","metadata":{"name":%q%s},`+
		`"spec":{"driver":"gpu.example.com","nodeName":"worker",`+
		`"pool":{"name":%q,"generation":1,"resourceSliceCount":1},"devices":[%s]}}`,
		name, metadata, name, strings.Join(devices, ","))
}

// allocated returns the status of an allocated claim. The optional fields begin with a comma.
func allocated(fields ...string) string {
	return `{"allocation":{"devices":{"results":[{"request":"gpu","driver":"gpu.example.com","pool":"p",` +
		`"device":"d0"}]},` +
		`"nodeSelector":{"nodeSelectorTerms":[{"matchFields":[{"key":"metadata.name","operator":"In",` +
		`"values":["worker"]}]}]}}` + strings.Join(fields, "") + `}`
}
