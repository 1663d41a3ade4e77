package cli

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	schemavalidation "k8s.io/apiextensions-apiserver/pkg/apiserver/validation"

	"github.com/claimbridge/claimbridge/test/testkit/must"
)

// TestOutputMatchesItsSchema runs the program on the inputs of scripts, and validates each line of its output with the
// schemas in docs/schemas. The last line has the totals of the lines before it.
func TestOutputMatchesItsSchema(t *testing.T) {
	findings, results := schemaOf(t, "findings"), schemaOf(t, "results")
	var inputs []txtar.File
	for _, script := range []string{"findings", "validate"} {
		archive := must.Get(txtar.ParseFile(filepath.Join("testdata/script", script+".txtar")))(t)
		inputs = append(inputs, archive.Files...)
	}
	t.Chdir(t.TempDir())
	lines := 0
	for _, f := range inputs {
		if filepath.Ext(f.Name) != ".yaml" {
			continue
		}
		must.Do(t, os.WriteFile("input.yaml", f.Data, 0o600))
		_, _, _ = claimbridge(t, "", "convert", "--to", "v1", "--check", "--report=json=found.jsonl", "input.yaml")
		report := string(must.Get(os.ReadFile("found.jsonl"))(t))
		lines += checkLines(t, findings, report, func(line map[string]any, totals map[string]int) {
			switch {
			case line["fixed"] == true:
				totals["fixed"]--
			case line["severity"] == "error":
				totals["errors"]--
			default:
				totals["warnings"]--
			}
		}, "checked", "changed")
		output, _, _ := claimbridge(t, "", "validate", "-o", "json", "input.yaml")
		lines += checkLines(t, results, output, func(line map[string]any, totals map[string]int) {
			totals["checked"]--
			if line["allowed"] == false {
				totals["rejected"]--
			}
			totals["errors"] -= len(line["errors"].([]any))     //nolint:forcetypeassert // the schema has an array
			totals["warnings"] -= len(line["warnings"].([]any)) //nolint:forcetypeassert // the schema has an array
		})
	}
	if lines < 100 {
		t.Errorf("the inputs have only %d lines of output", lines)
	}
}

// checkLines validates the lines of an output with a schema, and returns how many there are. subtract subtracts a line
// from the totals, of which nothing but the numbers with the names in other must remain.
func checkLines(t *testing.T, schema schemavalidation.SchemaValidator, output string,
	subtract func(line map[string]any, totals map[string]int), other ...string,
) int {
	t.Helper()
	all := strings.Split(strings.TrimSuffix(output, "\n"), "\n")
	var last struct{ Totals map[string]int }
	must.Do(t, json.Unmarshal([]byte(all[len(all)-1]), &last))
	for i, text := range all {
		var line map[string]any
		must.Do(t, json.Unmarshal([]byte(text), &line))
		for _, err := range schemavalidation.ValidateCustomResource(nil, line, schema) {
			t.Errorf("%s: %v", text, err)
		}
		if i < len(all)-1 {
			subtract(line, last.Totals)
		}
	}
	for _, name := range other {
		delete(last.Totals, name)
	}
	for name, n := range last.Totals {
		if n != 0 {
			t.Errorf("the total of %s is off by %d:\n%s", name, n, output)
		}
	}
	return len(all)
}

// schemaOf returns a schema in docs/schemas.
func schemaOf(t *testing.T, name string) schemavalidation.SchemaValidator {
	t.Helper()
	var published apiextensionsv1.JSONSchemaProps
	must.Do(t, json.Unmarshal(must.Get(os.ReadFile(filepath.Join("../../docs/schemas", name+".json")))(t), &published))
	var internal apiextensions.JSONSchemaProps
	must.Do(t, apiextensionsv1.Convert_v1_JSONSchemaProps_To_apiextensions_JSONSchemaProps(&published, &internal, nil))
	validator, _ := must.Get2(schemavalidation.NewSchemaValidator(&internal))(t)
	return validator
}
