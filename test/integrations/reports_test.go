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

// TestReportsAreReadByOtherTools checks that SARIF reports are valid by its schema and have the findings of JSON
// reports.
func TestReportsAreReadByOtherTools(t *testing.T) {
	reader, schema := readerOf(t)
	program, folder, reports := built.Claimbridge(t), t.TempDir(), t.TempDir()
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
			file := func(format string) string { return filepath.Join(reports, format) }
			args := command
			for _, format := range []string{"sarif", "json"} {
				args = append(args, "--report="+format+"="+file(format))
			}
			out, code := runProgram(t, folder, nil, program, args...)
			if (code == 0) != (name == "no findings") {
				t.Fatalf("exit code %d\n%s", code, out)
			}
			jsonReport := must.Get(os.ReadFile(file("json")))(t)
			sarif := must.Get(os.ReadFile(file("sarif")))(t)
			if output, err := read(t, reader, sarif, "sarif", schema); err != nil {
				t.Errorf("SARIF: %v: %s\n%s", err, output, sarif)
			}
			output, err := read(t, reader, bytes.ReplaceAll(sarif, []byte(`"driver":`), []byte(`"drivers":`)), "sarif",
				schema)
			if err == nil {
				t.Errorf("the reader accepts an invalid report: %s", output)
			}
			results, findings := bytes.Count(sarif, []byte(`"ruleId":`)), bytes.Count(jsonReport, []byte(`"rule":`))
			if results != findings {
				t.Errorf("SARIF has %d results, want %d", results, findings)
			}
		})
	}
}

// readerOf returns a program that reads reports, and the file of the schema of SARIF.
func readerOf(t *testing.T) (program, schema string) {
	t.Helper()
	program = programs.Tool(t, programs.Readers)
	folder, err := programs.Source(t.Context(), "../programs/others", "github.com/owenrumney/go-sarif/v3")
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
		if constant, isLiteral := n.(*ast.BasicLit); isLiteral && constant.Kind == token.STRING && text == "" {
			// the only string constant
			text, err = strconv.Unquote(constant.Value)
		}
		return true
	})
	if err != nil || !strings.Contains(text, "SARIF) Version 2.1.0 JSON Schema") {
		t.Fatalf("no schema in the source: %v", err)
	}
	schema = filepath.Join(t.TempDir(), "sarif.json")
	must.Do(t, os.WriteFile(schema, []byte(text), 0o600))
	return program, schema
}

// read reads a report with a reader, and returns the output of the reader.
func read(t *testing.T, reader string, report []byte, args ...string) (output string, err error) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), reader, args...)
	cmd.Stdin = bytes.NewReader(report)
	out, err := cmd.CombinedOutput()
	return string(out), err
}
