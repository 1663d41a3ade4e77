// Command loosen relaxes the generated custom resource definitions in a directory: loosen DIR. The markers of
// metav1.Condition give the conditions of a device minimum lengths, patterns and required fields. This program removes
// them, because validation rules check the same with Kubernetes' own error messages. go generate runs it.
package main

import (
	"os"
	"path/filepath"

	"sigs.k8s.io/yaml"
)

func main() {
	if len(os.Args) != 2 {
		panic("usage: loosen DIR")
	}
	files, err := filepath.Glob(filepath.Join(os.Args[1], "*.yaml"))
	if err != nil {
		panic(err)
	}
	for _, file := range files {
		if err := rewrite(file); err != nil {
			panic(err)
		}
	}
}

func rewrite(file string) error {
	data, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	var crd map[string]any
	if err := yaml.Unmarshal(data, &crd); err != nil {
		return err
	}
	for _, version := range crd["spec"].(map[string]any)["versions"].([]any) {
		version := version.(map[string]any)
		walk(version["schema"].(map[string]any)["openAPIV3Schema"].(map[string]any))
	}
	if data, err = yaml.Marshal(crd); err != nil {
		return err
	}
	return os.WriteFile(file, append([]byte("---\n"), data...), 0o644)
}

// walk finds the lists of conditions in a schema, and relaxes their items.
func walk(schema map[string]any) {
	properties, _ := schema["properties"].(map[string]any)
	for name, property := range properties {
		property := property.(map[string]any)
		if name == "conditions" {
			loosen(property["items"].(map[string]any))
			continue
		}
		walk(property)
		if items, ok := property["items"].(map[string]any); ok {
			walk(items)
		}
	}
}

// loosen keeps only the required key of the list, type, and the types of the fields.
func loosen(condition map[string]any) {
	condition["required"] = []any{"type"}
	for _, property := range condition["properties"].(map[string]any) {
		property := property.(map[string]any)
		for _, keyword := range []string{"maxLength", "minLength", "pattern", "enum", "minimum", "format"} {
			if keyword == "format" && property["type"] == "integer" {
				continue
			}
			delete(property, keyword)
		}
	}
}
