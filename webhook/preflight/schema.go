package preflight

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
)

// differencesOf a schema from the one that it should be, as fields of an object and what is otherwise there. What a schema
// only says to people does not count.
func differencesOf(want, got *apiextensionsv1.CustomResourceValidation) ([]string, error) {
	wanted, err := plainSchema(want)
	if err != nil {
		return nil, err
	}
	found, err := plainSchema(got)
	if err != nil {
		return nil, err
	}
	return compareSchemas("", wanted, found), nil
}

func plainSchema(v *apiextensionsv1.CustomResourceValidation) (schema map[string]any, err error) {
	if v == nil || v.OpenAPIV3Schema == nil {
		return nil, nil
	}
	text, err := json.Marshal(v.OpenAPIV3Schema)
	if err == nil {
		err = json.Unmarshal(text, &schema)
	}
	return schema, err
}

// compareSchemas of a field, and of those in it.
func compareSchemas(field string, want, got map[string]any) (differences []string) {
	for _, key := range keys(want, got) {
		switch key {
		case "description", "title", "example", "externalDocs":
		case "properties":
			wanted, found := object(want[key]), object(got[key])
			for _, member := range keys(wanted, found) {
				path := field + "." + member
				switch {
				case found[member] == nil:
					differences = append(differences, path+" is missing")
				case wanted[member] == nil:
					differences = append(differences, path+" is not a field of this release")
				default:
					differences = append(differences, compareSchemas(path, object(wanted[member]), object(found[member]))...)
				}
			}
		case "items", "additionalProperties":
			wanted, found := object(want[key]), object(got[key])
			if wanted != nil && found != nil {
				differences = append(differences, compareSchemas(field+"[]", wanted, found)...)
				continue
			}
			fallthrough
		default:
			if wanted, found := text(want[key]), text(got[key]); wanted != found {
				differences = append(differences, fmt.Sprintf("%s: %s is %s, not %s", orRoot(field), key, found, wanted))
			}
		}
	}
	return differences
}

func keys(a, b map[string]any) []string {
	all := maps.Clone(a)
	if all == nil {
		all = map[string]any{}
	}
	maps.Copy(all, b)
	return slices.Sorted(maps.Keys(all))
}

func object(value any) map[string]any {
	members, _ := value.(map[string]any)
	return members
}

func text(value any) string {
	if value == nil {
		return "absent"
	}
	encoded, err := json.Marshal(value)
	if err != nil {
		return fmt.Sprint(value)
	}
	return string(encoded)
}

func orRoot(field string) string {
	if field == "" {
		return "the object"
	}
	return field
}
