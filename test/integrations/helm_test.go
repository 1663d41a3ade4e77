//go:build e2e

package integrations

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/testscript"
	"sigs.k8s.io/yaml"

	"github.com/claimbridge/claimbridge/test/programs"
	"github.com/claimbridge/claimbridge/test/testkit/built"
	"github.com/claimbridge/claimbridge/test/testkit/must"
	"github.com/claimbridge/claimbridge/test/testkit/shell"
)

// TestScripts runs the scripts in testdata/scripts with kustomize, both releases of Helm, and claimbridge in PATH.
func TestScripts(t *testing.T) {
	folder := t.TempDir()
	root := must.Get(filepath.Abs("../.."))(t)
	for name, program := range map[string]string{
		"claimbridge": built.Claimbridge(t),
		"kustomize":   tool(t, programs.Kustomize),
		"helm3":       tool(t, programs.Helm3),
		"helm4":       tool(t, programs.Helm4),
	} {
		must.Do(t, os.Symlink(program, filepath.Join(folder, name)))
	}
	testscript.Run(t, testscript.Params{
		Dir: "testdata/scripts", RequireExplicitExec: true, RequireUniqueNames: true,
		Setup: func(env *testscript.Env) error {
			for name, value := range map[string]string{
				"PATH": shell.Path(folder), "PROGRAMS": folder, "ROOT": root, "HOME": env.WorkDir,
			} {
				env.Setenv(name, value)
			}
			return nil
		},
	})
}

// tool returns the path of kustomize or Helm, which it builds if it is missing. The test is skipped with -short.
func tool(t *testing.T, name string) string {
	t.Helper()
	if testing.Short() {
		t.Skip("-short: kustomize and Helm take minutes to build the first time")
	}
	return programs.Tool(t, name)
}

func copyFile(t *testing.T, from, to string) {
	t.Helper()
	must.Do(t, os.WriteFile(to, must.Get(os.ReadFile(from))(t), 0o644))
}

// TestExampleChart checks that the example for chart authors renders the version that the cluster serves, with both
// releases of Helm, and that the objects are equal in all versions.
func TestExampleChart(t *testing.T) {
	for name, helm := range map[string]string{"release 3": programs.Helm3, "release 4": programs.Helm4} {
		t.Run(name, func(t *testing.T) { checkExampleChart(t, tool(t, helm)) })
	}
}

func checkExampleChart(t *testing.T, helm string) {
	t.Helper()
	newest, err := renderExampleChart(t, helm, "v1beta1", "v1", "v1beta2")
	if err != nil {
		t.Fatalf("%v\n%s", err, newest)
	}
	for _, version := range []string{"v1", "v1beta2", "v1beta1"} {
		rendered, err := renderExampleChart(t, helm, version)
		if err != nil {
			t.Errorf("%s: %v\n%s", version, err, rendered)
		}
		if got := strings.Count(rendered, "apiVersion: resource.k8s.io/"+version+"\n"); got != 3 {
			t.Errorf("got %d objects of %s, want 3:\n%s", got, version, rendered)
		}
		if diff := cmp.Diff(objects(t, newest), objects(t, convertToV1(t, rendered))); diff != "" {
			t.Errorf("the conversion of %s to v1 differs (-v1 +%s):\n%s", version, version, diff)
		}
	}
	rendered, err := renderExampleChart(t, helm)
	if want := "--api-versions resource.k8s.io/v1/DeviceClass"; err == nil || !strings.Contains(rendered, want) {
		t.Errorf("without served versions: got error %v, want one and the remedy %q in\n%s", err, want, rendered)
	}
}

// renderExampleChart renders the chart for a cluster that serves versions. It returns the output of Helm.
func renderExampleChart(t *testing.T, helm string, servedVersions ...string) (output string, err error) {
	t.Helper()
	args := []string{"template", "gpu.example.com", "../../docs/examples/chart"}
	for _, version := range servedVersions {
		args = append(args, "--api-versions", "resource.k8s.io/"+version+"/DeviceClass")
	}
	out, err := exec.CommandContext(t.Context(), helm, args...).CombinedOutput()
	return string(out), err
}

// convertToV1 validates and converts manifests with claimbridge, and returns them in v1.
func convertToV1(t *testing.T, manifests string) string {
	t.Helper()
	program := built.Claimbridge(t)
	folder := t.TempDir()
	file := filepath.Join(folder, "manifests.yaml")
	must.Do(t, os.WriteFile(file, []byte(manifests), 0o600))
	for _, args := range [][]string{
		{"validate", "--kubernetes-release=1.36", file},
		{"convert", "--to=v1", "--write", file},
	} {
		if output, code := runProgram(t, folder, nil, program, args...); code != 0 {
			t.Errorf("claimbridge %s: got exit code %d, want 0: %s\n%s", args[0], code, output, manifests)
		}
	}
	return readFile(t, folder, "manifests.yaml")
}

// objects returns the objects of a YAML stream.
func objects(t *testing.T, stream string) (list []map[string]any) {
	t.Helper()
	for document := range strings.SplitSeq(stream, "\n---\n") {
		var object map[string]any
		must.Do(t, yaml.Unmarshal([]byte(document), &object))
		list = append(list, object)
	}
	return list
}
