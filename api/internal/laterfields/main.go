// Command laterfields adds the fields of later releases to the custom resource definitions that controller-gen wrote:
// laterfields FOLDER. The Go types do not have these fields, so no marker can. It is what go generate runs.
package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"sigs.k8s.io/yaml"

	"github.com/claimbridge/claimbridge/api"
)

func main() {
	if len(os.Args) != 2 {
		panic("usage: laterfields FOLDER")
	}
	for file, prefix := range map[string]string{
		"resource.k8s.io_resourceclaims.yaml":         "",
		"resource.k8s.io_resourceclaimtemplates.yaml": "spec.",
	} {
		if err := rewrite(filepath.Join(os.Args[1], file), prefix); err != nil {
			panic(err)
		}
	}
}

func rewrite(file, prefix string) error {
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
		row, known := api.Find(version["name"].(string))
		if !known {
			return fmt.Errorf("%s: no version %v in the table", file, version["name"])
		}
		if len(row.LaterFields) == 0 {
			continue
		}
		schema := version["schema"].(map[string]any)["openAPIV3Schema"].(map[string]any)
		for _, field := range row.LaterFields {
			if prefix != "" && !strings.HasPrefix(field.Path, "spec.") {
				continue // templates have no status
			}
			add(schema, row, prefix+field.Path, field.Release)
		}
	}
	if data, err = yaml.Marshal(crd); err != nil {
		return err
	}
	return os.WriteFile(file, append([]byte("---\n"), data...), 0o644)
}

// add a field to the schema of the object that has it. Without a type it takes any JSON, and keeps it.
func add(schema map[string]any, version api.Version, path, release string) {
	names := strings.Split(path, ".")
	for _, name := range names[:len(names)-1] {
		item, list := strings.CutSuffix(name, "[]")
		schema = schema["properties"].(map[string]any)[item].(map[string]any)
		if list {
			schema = schema["items"].(map[string]any)
		}
	}
	schema["properties"].(map[string]any)[names[len(names)-1]] = map[string]any{
		"description":                          fmt.Sprintf("A field that Kubernetes %s added to %s. Here %[2]s is that of %s: a write that sets the field is refused.", release, version.Name, version.Release),
		"x-kubernetes-preserve-unknown-fields": true,
	}
}
