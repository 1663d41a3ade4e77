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

// scenarios are what a client does in a version, step by step: those of testdata/scenarios by
// theme, and every verb as each user.
func scenarios(t testing.TB, v shape) map[string][]step {
	t.Helper()
	all := map[string][]step{}
	for _, file := range must.Get(filepath.Glob("testdata/scenarios/*.txtar"))(t) {
		for _, scenario := range v.sections(t, file) {
			if all[scenario.Name] != nil {
				t.Fatalf("%s: %s is there twice", file, scenario.Name)
			}
			all[scenario.Name] = stepsOf(t, string(scenario.Data))
		}
	}
	verbs := v.sections(t, "testdata/every-verb.txtar")
	for _, user := range []string{
		"nobody", "reader", "status", "barestatus", "patcher", "creator", "updater", "deleter", "mallory", "many",
		"system:node:worker", "root",
		"system:serviceaccount:default:impostor", robot, driver,
	} {
		var steps []step
		for _, part := range verbs {
			for _, s := range stepsOf(t, string(part.Data)) {
				if part.Name == "asked" {
					s = s.by(user)
				}
				steps = append(steps, s)
			}
		}
		all["every verb as "+strings.ReplaceAll(user, ":", " ")] = steps
	}
	return all
}

// by a user. Part of what a driver and a node may is not had through ours, and so would not be done: it is a dry run.
func (s step) by(user string) step {
	s.as, s.line = user, s.line+", by "+user
	if (user == driver || strings.HasPrefix(user, "system:node:")) && s.method != http.MethodGet &&
		!strings.Contains(s.path, "dryRun") {
		s.path += map[bool]string{true: "&", false: "?"}[strings.Contains(s.path, "?")] + "dryRun=All"
	}
	return s
}

// sections of a file, in which the functions of a shape stand in two curly brackets.
func (v shape) sections(t testing.TB, file string) []txtar.File {
	t.Helper()
	functions := template.FuncMap{
		"asks":          v.asks,
		"device":        v.device,
		"inside":        v.inside,
		"claim":         v.claim,
		"spec":          v.spec,
		"claimTemplate": v.template,
		"class":         v.class,
		"slice":         v.slice,
		"apiVersion":    func() string { return "resource.k8s.io/" + string(v) },
		"allocated":     allocated,
		"repeat":        strings.Repeat,
		"replace":       strings.ReplaceAll,
	}
	var text strings.Builder
	parsed := must.Get(template.New(filepath.Base(file)).Funcs(functions).ParseFiles(file))(t)
	must.Do(t, parsed.Execute(&text, nil))
	return txtar.Parse([]byte(text.String())).Files
}

// shape is a version of the API, and how it says what v1beta1 and v1beta2 say in different ways.
type shape string

// asks is a request for devices: its name, and the fields that v1beta1 has beside it and v1beta2 in exactly.
func (v shape) asks(name, fields string) string {
	if v == "v1beta1" {
		return fmt.Sprintf(`{"name":%q,%s}`, name, fields)
	}
	return fmt.Sprintf(`{"name":%q,"exactly":{%s}}`, name, fields)
}

// device of a slice.
func (v shape) device(name string, fields ...string) string {
	if v == "v1beta1" {
		return fmt.Sprintf(`{"name":%q,"basic":{%s}}`, name, strings.Join(fields, ""))
	}
	return fmt.Sprintf(`{"name":%q%s}`, name, strings.Join(append([]string{""}, fields...), ","))
}

// inside is a field of the first request of a claim, for JSON patches.
func (v shape) inside(field string) string {
	if v == "v1beta1" {
		return "/spec/devices/requests/0/" + field
	}
	return "/spec/devices/requests/0/exactly/" + field
}

// claim with a request for a device, and more members of the object, each with a comma before it.
func (v shape) claim(name string, more ...string) string {
	return fmt.Sprintf(`{"apiVersion":"<v>","kind":"ResourceClaim","metadata":{"name":%q%s},"spec":%s}`, name,
		strings.Join(more, ""), v.spec())
}

func (v shape) spec() string {
	return `{"devices":{"requests":[` + v.asks("gpu", `"deviceClassName":"gpu.example.com"`) + `]}}`
}

func (v shape) template(name string, more ...string) string {
	return fmt.Sprintf(`{"apiVersion":"<v>","kind":"ResourceClaimTemplate","metadata":{"name":%q%s},`+
		`"spec":{"metadata":{"labels":{"of":"template"}},"spec":%s}}`,
		name, strings.Join(more, ""), v.spec())
}

func (v shape) class(name string, more ...string) string {
	return fmt.Sprintf(`{"apiVersion":"<v>","kind":"DeviceClass","metadata":{"name":%q%s},`+
		`"spec":{"selectors":[{"cel":{"expression":"device.driver == \"gpu.example.com\""}}]}}`,
		name, strings.Join(more, ""))
}

func (v shape) slice(name, more string, devices ...string) string {
	return fmt.Sprintf(`{"apiVersion":"<v>","kind":"ResourceSlice","metadata":{"name":%q%s},`+
		`"spec":{"driver":"gpu.example.com","nodeName":"worker",`+
		`"pool":{"name":%q,"generation":1,"resourceSliceCount":1},"devices":[%s]}}`,
		name, more, name, strings.Join(devices, ","))
}

// allocated is a status, with the devices that it gives.
func allocated(more ...string) string {
	return `{"allocation":{"devices":{"results":[{"request":"gpu","driver":"gpu.example.com","pool":"p",` +
		`"device":"d0"}]},` +
		`"nodeSelector":{"nodeSelectorTerms":[{"matchFields":[{"key":"metadata.name","operator":"In",` +
		`"values":["worker"]}]}]}}` + strings.Join(more,
		"") + `}`
}
