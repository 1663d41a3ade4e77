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
	all := map[string][]step{}
	for _, file := range must.Get(filepath.Glob("testdata/scenarios/*.txtar"))(t) {
		for _, scenario := range v.sections(t, file) {
			if all[scenario.Name] != nil {
				t.Fatalf("%s: duplicate scenario %q", file, scenario.Name)
			}
			all[scenario.Name] = stepsOf(t, string(scenario.Data))
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
		for _, part := range verbs {
			for _, s := range stepsOf(t, string(part.Data)) {
				if part.Name == "requests" {
					s = s.by(user)
				}
				steps = append(steps, s)
			}
		}
		all["every verb as "+strings.ReplaceAll(user, ":", " ")] = steps
	}
	return all
}

// by returns the step as a user. Writes of drivers and nodes are dry runs, because some of them are rejected through
// the bridge, and the state of both clusters would differ.
func (s step) by(user string) step {
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

// sections returns the sections of a template, which can call the functions of manifests.
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

// manifests is a version of the API. Its methods return objects in this version.
type manifests string

// deviceRequest has a name, and fields that v1beta1 has in the request and other versions have in `exactly`.
func (v manifests) deviceRequest(name, fields string) string {
	if v == "v1beta1" {
		return fmt.Sprintf(`{"name":%q,%s}`, name, fields)
	}
	return fmt.Sprintf(`{"name":%q,"exactly":{%s}}`, name, fields)
}

// device is a device of a slice.
func (v manifests) device(name string, fields ...string) string {
	if v == "v1beta1" {
		return fmt.Sprintf(`{"name":%q,"basic":{%s}}`, name, strings.Join(fields, ""))
	}
	return fmt.Sprintf(`{"name":%q%s}`, name, strings.Join(append([]string{""}, fields...), ","))
}

// requestFieldPath is the path of a field of the first request of a claim, for JSON patches.
func (v manifests) requestFieldPath(field string) string {
	if v == "v1beta1" {
		return "/spec/devices/requests/0/" + field
	}
	return "/spec/devices/requests/0/exactly/" + field
}

// claim has a request for a device. More members of its metadata begin with a comma.
func (v manifests) claim(name string, more ...string) string {
	return fmt.Sprintf(`{"apiVersion":"<v>","kind":"ResourceClaim","metadata":{"name":%q%s},"spec":%s}`, name,
		strings.Join(more, ""), v.spec())
}

func (v manifests) spec() string {
	return `{"devices":{"requests":[` + v.deviceRequest("gpu", `"deviceClassName":"gpu.example.com"`) + `]}}`
}

func (v manifests) claimTemplate(name string, more ...string) string {
	return fmt.Sprintf(`{"apiVersion":"<v>","kind":"ResourceClaimTemplate","metadata":{"name":%q%s},`+
		`"spec":{"metadata":{"labels":{"of":"template"}},"spec":%s}}`,
		name, strings.Join(more, ""), v.spec())
}

func (v manifests) class(name string, more ...string) string {
	return fmt.Sprintf(`{"apiVersion":"<v>","kind":"DeviceClass","metadata":{"name":%q%s},`+
		`"spec":{"selectors":[{"cel":{"expression":"device.driver == \"gpu.example.com\""}}]}}`,
		name, strings.Join(more, ""))
}

func (v manifests) slice(name, more string, devices ...string) string {
	return fmt.Sprintf(`{"apiVersion":"<v>","kind":"ResourceSlice","metadata":{"name":%q%s},`+
		`"spec":{"driver":"gpu.example.com","nodeName":"worker",`+
		`"pool":{"name":%q,"generation":1,"resourceSliceCount":1},"devices":[%s]}}`,
		name, more, name, strings.Join(devices, ","))
}

// allocated is the status of an allocated claim.
func allocated(more ...string) string {
	return `{"allocation":{"devices":{"results":[{"request":"gpu","driver":"gpu.example.com","pool":"p",` +
		`"device":"d0"}]},` +
		`"nodeSelector":{"nodeSelectorTerms":[{"matchFields":[{"key":"metadata.name","operator":"In",` +
		`"values":["worker"]}]}]}}` + strings.Join(more,
		"") + `}`
}
