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

// TestScripts runs the scripts of testdata/scripts, with kustomize, both releases of Helm, and claimbridge in the PATH.
func TestScripts(t *testing.T) {
	folder, root := t.TempDir(), must.Get(filepath.Abs("../.."))(t)
	for name, program := range map[string]string{
		"claimbridge": built.Claimbridge(t),
		"kustomize":   other(t, programs.Kustomize),
		"helm3":       other(t, programs.Helm3),
		"helm4":       other(t, programs.Helm4),
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

// other returns the file of another program. It builds a missing one.
func other(t *testing.T, name string) string {
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
	program := built.Claimbridge(t)
	for name, helm := range map[string]string{"release 3": programs.Helm3, "release 4": programs.Helm4} {
		t.Run(name, func(t *testing.T) {
			render := func(served ...string) (string, error) {
				args := []string{"template", "gpu.example.com", "../../docs/examples/chart"}
				for _, version := range served {
					args = append(args, "--api-versions", "resource.k8s.io/"+version+"/DeviceClass")
				}
				out, err := exec.CommandContext(t.Context(), other(t, helm), args...).CombinedOutput()
				return string(out), err
			}
			newest, err := render("v1beta1", "v1", "v1beta2")
			if err != nil {
				t.Fatalf("%v\n%s", err, newest)
			}
			asV1 := func(rendered string) string {
				folder := t.TempDir()
				file := filepath.Join(folder, "rendered.yaml")
				must.Do(t, os.WriteFile(file, []byte(rendered), 0o600))
				if output, code := runProgram(t, folder, nil, program, "validate", "--kubernetes-release=1.36",
					file); code != 0 {
					t.Errorf("%s\n%s", output, rendered)
				}
				output, code := runProgram(t, folder, nil, program, "convert", "--to=v1", "--write", file)
				if code != 0 {
					t.Errorf("%s\n%s", output, rendered)
				}
				return readFile(t, folder, "rendered.yaml")
			}
			for _, version := range []string{"v1", "v1beta2", "v1beta1"} {
				got, err := render(version)
				if count := strings.Count(got, "apiVersion: resource.k8s.io/"+version+"\n"); err != nil || count != 3 {
					t.Errorf("%s: %d objects of the version: %v\n%s", version, count, err, got)
				}
				if diff := cmp.Diff(objects(t, newest), objects(t, asV1(got))); diff != "" {
					t.Errorf("the conversion of %s to v1 differs (-v1 +%s):\n%s", version, version, diff)
				}
			}
			if got, err := render(); err == nil ||
				!strings.Contains(got, "--api-versions resource.k8s.io/v1/DeviceClass") {
				t.Errorf("without a cluster: %v\n%s", err, got)
			}
		})
	}
}

// objects returns the objects of a YAML stream.
func objects(t *testing.T, stream string) (all []map[string]any) {
	t.Helper()
	for document := range strings.SplitSeq(stream, "\n---\n") {
		var object map[string]any
		must.Do(t, yaml.Unmarshal([]byte(document), &object))
		all = append(all, object)
	}
	return all
}
