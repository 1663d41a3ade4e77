package manifest

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"

	"github.com/claimbridge/claimbridge/internal/kjson"
)

// IsDescription reports whether a document describes what objects look like and holds none: it has the form of OpenAPI 2 or 3 or of a JSON schema.
// That of any cluster's API, or of any workload, speaks of claims. What has a member that objects of Kubernetes have is no description, so that no
// claim is taken for one however its type is misspelt, and neither is what has an object anywhere in it, whatever it says of itself.
func (d *Document) IsDescription() bool {
	if d.APIVersion != "" || d.Kind != "" {
		return false
	}
	object, err := d.Object(false)
	if err != nil { // a list, say, whose items are read one by one
		return false
	}
	members, _, err := kjson.Members(object)
	if err != nil || slices.ContainsFunc(members, ofAnObject) {
		return false
	}
	return (isOpenAPI(members) || isSchema(members)) && !holdsAnObject(object)
}

// ofAnObject tells members that objects and lists of Kubernetes have.
func ofAnObject(m kjson.Member) bool {
	return slices.Contains([]string{"apiversion", "kind", "metadata", "spec", "status", "items"}, strings.ToLower(m.Name))
}

// isOpenAPI reports whether members are those of a description of an API: of its form, and no others.
func isOpenAPI(members []kjson.Member) bool {
	if kjson.StringOf(kjson.Get(members, "openapi")) == "" && kjson.StringOf(kjson.Get(members, "swagger")) == "" {
		return false
	}
	return !slices.ContainsFunc(members, func(m kjson.Member) bool {
		return !strings.HasPrefix(m.Name, "x-") && !slices.Contains(ofOpenAPI, m.Name)
	})
}

// ofOpenAPI are the members of a description by OpenAPI 2, 3.0 and 3.1.
var ofOpenAPI = []string{
	"swagger", "info", "host", "basePath", "schemes", "consumes", "produces", "paths", "definitions", "parameters", "responses", "securityDefinitions",
	"openapi", "jsonSchemaDialect", "servers", "webhooks", "components", "security", "tags", "externalDocs",
}

// isSchema reports whether members are those of a JSON schema: one that names its dialect, one of an object, or a collection of them.
func isSchema(members []kjson.Member) bool {
	return strings.Contains(kjson.StringOf(kjson.Get(members, "$schema")), "://json-schema.org/") ||
		ofObjects(members) || areSchemas(kjson.Get(members, "definitions")) || areSchemas(kjson.Get(members, "$defs"))
}

// ofObjects reports whether members are those of a JSON schema of objects.
func ofObjects(members []kjson.Member) bool {
	properties := kjson.Get(members, "properties")
	return kjson.StringOf(kjson.Get(members, "type")) == "object" && len(properties) > 0 && properties[0] == '{'
}

// areSchemas reports whether a value is an object of JSON schemas, at least one of them of objects.
func areSchemas(value []byte) bool {
	if len(value) == 0 || value[0] != '{' {
		return false
	}
	some := false
	s := kjson.New(value)
	for _, one := range s.Values() {
		members, _, err := kjson.Members(one)
		if err != nil || !slices.ContainsFunc(members, saysWhat) {
			return false
		}
		some = some || ofObjects(members)
	}
	return some && s.Err() == nil
}

// saysWhat tells members by which a JSON schema says what it is of.
func saysWhat(m kjson.Member) bool {
	return slices.Contains([]string{"type", "$ref", "description"}, m.Name)
}

// holdsAnObject reports whether an object of Kubernetes is anywhere in a text of JSON: one with an apiVersion and a kind that are strings.
func holdsAnObject(text []byte) bool {
	type level struct {
		key           string // the member whose value comes next, "" in an array and before a name
		isObject      bool
		version, kind bool
	}
	levels := []level{{}}
	for decoder := json.NewDecoder(bytes.NewReader(text)); ; {
		token, err := decoder.Token()
		if err != nil {
			return false
		}
		here := &levels[len(levels)-1]
		switch value := token.(type) {
		case json.Delim:
			if value == '}' || value == ']' {
				levels = levels[:len(levels)-1]
				continue
			}
			here.key = ""
			levels = append(levels, level{isObject: value == '{'})
		case string:
			if here.isObject && here.key == "" {
				here.key = value + ":" // which is never empty
				continue
			}
			here.version = here.version || here.key == "apiVersion:"
			here.kind = here.kind || here.key == "kind:"
			if here.version && here.kind {
				return true
			}
			here.key = ""
		default:
			here.key = ""
		}
	}
}
