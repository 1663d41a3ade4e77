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

// What is found in a folder with something of each sort: claims that change, an error, warnings,
// what is fixed, and what is right.
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
	"right.yaml": "apiVersion: resource.k8s.io/v1\nkind: ResourceClaim\nmetadata: {name: d}\nspec: {devices: " +
		"{requests: [{name: a, exactly: {deviceClassName: c}}]}}\n",
	"role.json": `{"apiVersion":"rbac.authorization.k8s.io/v1","kind":"ClusterRole","metadata":{"name":"r"},` +
		`"rules":[{"apiGroups":["resource.k8s.io"],"resources":["resourceclasses"],"verbs":["get"]}]}`,
	"broken.yml": "resource.k8s.io: [\n",
}

// Reports are validated as programs read them: SARIF with its schema, in which missing members are errors.
func TestReportsAreReadByOtherTools(t *testing.T) {
	reader, schema := readerOf(t)
	program, folder, reports := built.Claimbridge(t), t.TempDir(), t.TempDir()
	for name, text := range manifests {
		file := filepath.Join(folder, name)
		must.Do(t, os.MkdirAll(filepath.Dir(file), 0o755))
		must.Do(t, os.WriteFile(file, []byte(text), 0o600))
	}
	for what, command := range map[string][]string{
		"what would change": {"convert", "--to", "1.36", "--check", "."},
		"a stream":          {"convert", "--to", "v1alpha1", "-R", "."},
		"results":           {"validate", "-R", "."},
		"nothing":           {"convert", "--to", "v1", "--check", "right.yaml"},
	} {
		t.Run(what, func(t *testing.T) {
			at := func(format string) string { return filepath.Join(reports, format) }
			args := command
			for _, format := range []string{"sarif", "json"} {
				args = append(args, "--report="+format+"="+at(format))
			}
			out, code := ran(t, folder, nil, program, args...)
			if (code == 0) != (what == "nothing") {
				t.Fatalf("exit code %d\n%s", code, out)
			}
			found := must.Get(os.ReadFile(at("json")))(t)
			sarif := must.Get(os.ReadFile(at("sarif")))(t)
			if said, err := read(t, reader, sarif, "sarif", schema); err != nil {
				t.Errorf("SARIF: %v: %s\n%s", err, said, sarif)
			}
			said, err := read(t, reader, bytes.ReplaceAll(sarif, []byte(`"driver":`), []byte(`"drivers":`)), "sarif",
				schema)
			if err == nil {
				t.Errorf("the reader takes anything: %s", said)
			}
			results, findings := bytes.Count(sarif, []byte(`"ruleId":`)), bytes.Count(found, []byte(`"rule":`))
			if results != findings {
				t.Errorf("SARIF has %d results, want %d", results, findings)
			}
		})
	}
}

// readerOf reports, and the file of the schema of SARIF.
func readerOf(t *testing.T) (program, schema string) {
	t.Helper()
	program = programs.Other(t, programs.Readers)
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
		if constant, is := n.(*ast.BasicLit); is && constant.Kind == token.STRING && text == "" {
			// the one that there is
			text, err = strconv.Unquote(constant.Value)
		}
		return true
	})
	if err != nil || !strings.Contains(text, "SARIF) Version 2.1.0 JSON Schema") {
		t.Fatalf("there is no schema: %v", err)
	}
	schema = filepath.Join(t.TempDir(), "sarif.json")
	must.Do(t, os.WriteFile(schema, []byte(text), 0o600))
	return program, schema
}

// read a report by a reader, and give what it says of it.
func read(t *testing.T, reader string, report []byte, args ...string) (said string, err error) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), reader, args...)
	cmd.Stdin = bytes.NewReader(report)
	out, err := cmd.CombinedOutput()
	return string(out), err
}
