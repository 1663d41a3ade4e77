//go:build e2e

package integrations

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/claimbridge/claimbridge/test/programs"
	"github.com/claimbridge/claimbridge/test/testkit/built"
	"github.com/claimbridge/claimbridge/test/testkit/must"
)

// manifests are files with an object to convert, an error, warnings, a finding that is fixed, and an object without
// findings.
var manifests = map[string]string{
	"faulty & <co>/claim 1%.yaml": "apiVersion: resource.k8s.io/v1\nkind: ResourceClaim\nmetadata: {name: a}\nspec: " +
		"{devics: {}}\n",
	"old.yaml": "apiVersion: resource.k8s.io/v1alpha2\nkind: ResourceClaimTemplate\nmetadata: {name: b}\nspec:\n  " +
		"spec:\n    resourceClassName: c\n" +
		"    parametersRef: {apiGroup: x.example.com, kind: GpuParameters, name: p}\n",
	"fixed.yaml": "apiVersion: resource.k8s.io/v1beta1\nkind: ResourceClaim\nmetadata: {name: \"c\\u0001\"}\nspec:\n " +
		" devices:\n    requests:\n    - name: a\n      deviceClassName: c # é\n",
	"pod.yaml": "apiVersion: v1\nkind: Pod\nmetadata: {name: p}\nspec:\n  containers: []\n  resourceClaims:\n  - " +
		"name: a\n    source:\n      resourceClaimName: c\n",
	"valid.yaml": "apiVersion: resource.k8s.io/v1\nkind: ResourceClaim\nmetadata: {name: d}\nspec: {devices: " +
		"{requests: [{name: a, exactly: {deviceClassName: c}}]}}\n",
	"role.json": `{"apiVersion":"rbac.authorization.k8s.io/v1","kind":"ClusterRole","metadata":{"name":"r"},` +
		`"rules":[{"apiGroups":["resource.k8s.io"],"resources":["resourceclasses"],"verbs":["get"]}]}`,
	"broken.yml": "resource.k8s.io: [\n",
}

// TestSARIFReportsAreValid checks that SARIF reports are valid by the schema of SARIF, and have the findings of JSON
// reports.
func TestSARIFReportsAreValid(t *testing.T) {
	validator := programs.Tool(t, programs.SARIFValidator)
	schema := sarifSchema(t)
	program := built.Claimbridge(t)
	folder := t.TempDir()
	reports := t.TempDir()
	for name, text := range manifests {
		file := filepath.Join(folder, name)
		must.Do(t, os.MkdirAll(filepath.Dir(file), 0o755))
		must.Do(t, os.WriteFile(file, []byte(text), 0o600))
	}
	for name, command := range map[string][]string{
		"changes":            {"convert", "--to", "1.36", "--check", "."},
		"a stream":           {"convert", "--to", "v1alpha1", "-R", "."},
		"validation results": {"validate", "-R", "."},
		"no findings":        {"convert", "--to", "v1", "--check", "valid.yaml"},
	} {
		t.Run(name, func(t *testing.T) {
			reportFile := func(format string) string { return filepath.Join(reports, format) }
			args := command
			for _, format := range []string{"sarif", "json"} {
				args = append(args, "--report="+format+"="+reportFile(format))
			}
			out, code := runProgram(t, folder, nil, program, args...)
			if wantSuccess := name == "no findings"; (code == 0) != wantSuccess {
				t.Fatalf("got exit code %d, want 0: %t\n%s", code, wantSuccess, out)
			}
			jsonReport := must.Get(os.ReadFile(reportFile("json")))(t)
			sarif := must.Get(os.ReadFile(reportFile("sarif")))(t)
			if output, err := validateSARIF(t, validator, schema, sarif); err != nil {
				t.Errorf("SARIF: %v: %s\n%s", err, output, sarif)
			}
			invalid := bytes.ReplaceAll(sarif, []byte(`"driver":`), []byte(`"drivers":`))
			if output, err := validateSARIF(t, validator, schema, invalid); err == nil {
				t.Errorf("the validator accepts an invalid report: %s", output)
			}
			got := bytes.Count(sarif, []byte(`"ruleId":`))
			if want := bytes.Count(jsonReport, []byte(`"rule":`)); got != want {
				t.Errorf("got %d results in SARIF, want %d as in JSON", got, want)
			}
		})
	}
}

// sarifSchema returns a file with the JSON schema of SARIF, which is the only string constant of a file of go-sarif.
func sarifSchema(t *testing.T) string {
	t.Helper()
	folder, err := programs.Source(t.Context(), "../programs/tools", "github.com/owenrumney/go-sarif/v3")
	if err != nil {
		t.Fatal(err)
	}
	source, err := parser.ParseFile(token.NewFileSet(), filepath.Join(folder, "pkg/report/v210/sarif/schema.go"), nil,
		0)
	if err != nil {
		t.Fatal(err)
	}
	text := ""
	ast.Inspect(source, func(n ast.Node) bool {
		if literal, isLiteral := n.(*ast.BasicLit); isLiteral && literal.Kind == token.STRING && text == "" {
			text, err = strconv.Unquote(literal.Value)
		}
		return true
	})
	if err != nil || !strings.Contains(text, "SARIF) Version 2.1.0 JSON Schema") {
		t.Fatalf("go-sarif has no schema of SARIF 2.1.0: got error %v and %.100q", err, text)
	}
	schema := filepath.Join(t.TempDir(), "sarif.json")
	must.Do(t, os.WriteFile(schema, []byte(text), 0o600))
	return schema
}

// validateSARIF validates a report against a schema, and returns the output of the validator.
func validateSARIF(t *testing.T, validator, schema string, report []byte) (output string, err error) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), validator, schema)
	cmd.Stdin = bytes.NewReader(report)
	out, err := cmd.CombinedOutput()
	return string(out), err
}
