// Command loosen takes out of the custom resource definitions that controller-gen wrote what types
// of Kubernetes' own bring along and a rule says with upstream's words: loosen FOLDER. The
// conditions of a device have lengths, patterns and required members by the markers of
// metav1.Condition. It is what go generate runs.
package main

import (
	"os"
	"path/filepath"

	"sigs.k8s.io/yaml"
)

func main() {
	if len(os.Args) != 2 {
		panic("usage: loosen FOLDER")
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

// walk looks for conditions, which are a list of their own anywhere in a schema.
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

// loosen leaves what a list by type needs, and the types of members.
func loosen(condition map[string]any) {
	condition["required"] = []any{"type"}
	for _, property := range condition["properties"].(map[string]any) {
		property := property.(map[string]any)
		for _, bound := range []string{"maxLength", "minLength", "pattern", "enum", "minimum", "format"} {
			if bound == "format" && property["type"] == "integer" {
				continue
			}
			delete(property, bound)
		}
	}
}
