//go:build e2e

package bridge

import (
	"fmt"
	"net/http"
)

// step of a scenario: a request, or a look at a watch that an earlier one opened.
type step struct {
	request
	// events of this watch, this many of them; all until the server ends it when that is 0.
	events string
	count  int
}

func (s step) String() string {
	if s.events != "" {
		return fmt.Sprintf("%d events of %s", s.count, s.events)
	}
	text := s.method + " " + s.path
	if s.content != "" {
		text += " (" + s.content + ")"
	}
	if s.accept != "" {
		text += " accepting " + s.accept
	}
	if s.as != "" {
		text += " as " + s.as
	}
	return text
}

// types of patches.
const (
	jsonPatch  = "application/json-patch+json"
	mergePatch = "application/merge-patch+json"
	strategic  = "application/strategic-merge-patch+json"
	applyPatch = "application/apply-patch+yaml"
)

func get(path string) step { return step{request: request{method: http.MethodGet, path: path}} }
func create(path, body string) step {
	return step{request: request{method: http.MethodPost, path: path, body: body}}
}
func put(path, body string) step {
	return step{request: request{method: http.MethodPut, path: path, body: body}}
}
func remove(path string, body ...string) step {
	s := step{request: request{method: http.MethodDelete, path: path}}
	if len(body) > 0 {
		s.body = body[0]
	}
	return s
}

func patch(kind, path, body string) step {
	return step{request: request{method: http.MethodPatch, path: path, content: kind, body: body}}
}

func watch(name, path string) step {
	return step{request: request{method: http.MethodGet, path: path, watch: name}}
}

func events(name string, count int) step { return step{events: name, count: count} }

func (s step) by(user string) step         { s.as = user; return s }
func (s step) accepting(types string) step { s.accept = types; return s }
func (s step) sending(content string) step { s.content = content; return s }
func (s step) with(name, value string) step {
	header := map[string]string{name: value}
	for n, v := range s.header {
		header[n] = v
	}
	s.header = header
	return s
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
func (v shape) device(name, fields string) string {
	if v == "v1beta1" {
		return fmt.Sprintf(`{"name":%q,"basic":{%s}}`, name, fields)
	}
	if fields != "" {
		fields = "," + fields
	}
	return fmt.Sprintf(`{"name":%q%s}`, name, fields)
}

// inside is a field of the first request of a claim, for JSON patches.
func (v shape) inside(field string) string {
	if v == "v1beta1" {
		return "/spec/devices/requests/0/" + field
	}
	return "/spec/devices/requests/0/exactly/" + field
}

// claim with a request for a device, and more members of the object, each with a comma before it.
func (v shape) claim(name, more string) string {
	return fmt.Sprintf(`{"apiVersion":"<v>","kind":"ResourceClaim","metadata":{"name":%q%s},"spec":%s}`, name, more, v.spec())
}

func (v shape) spec() string {
	return `{"devices":{"requests":[` + v.asks("gpu", `"deviceClassName":"gpu.example.com"`) + `]}}`
}

func (v shape) template(name, more string) string {
	return fmt.Sprintf(`{"apiVersion":"<v>","kind":"ResourceClaimTemplate","metadata":{"name":%q%s},"spec":{"metadata":{"labels":{"of":"template"}},"spec":%s}}`, name, more, v.spec())
}

func (v shape) class(name, more string) string {
	return fmt.Sprintf(`{"apiVersion":"<v>","kind":"DeviceClass","metadata":{"name":%q%s},"spec":{"selectors":[{"cel":{"expression":"device.driver == \"gpu.example.com\""}}]}}`, name, more)
}

func (v shape) slice(name, more string, devices ...string) string {
	list := ""
	for i, d := range devices {
		if i > 0 {
			list += ","
		}
		list += d
	}
	return fmt.Sprintf(`{"apiVersion":"<v>","kind":"ResourceSlice","metadata":{"name":%q%s},"spec":{"driver":"gpu.example.com","nodeName":"worker",`+
		`"pool":{"name":%q,"generation":1,"resourceSliceCount":1},"devices":[%s]}}`, name, more, name, list)
}

// allocated is a status, with the devices that it gives.
func allocated(more string) string {
	return `{"allocation":{"devices":{"results":[{"request":"gpu","driver":"gpu.example.com","pool":"p","device":"d0"}]},` +
		`"nodeSelector":{"nodeSelectorTerms":[{"matchFields":[{"key":"metadata.name","operator":"In","values":["worker"]}]}]}}` + more + `}`
}
