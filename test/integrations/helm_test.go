//go:build e2e

package integrations

import (
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/yaml"

	"github.com/claimbridge/claimbridge/test/programs"
	checkout "github.com/claimbridge/claimbridge/test/testkit/built"
	"github.com/claimbridge/claimbridge/test/testkit/must"
)

const plugin = "../../docs/examples/helm-plugin/plugin.yaml"

// Both releases of Helm render a chart whose claims the cluster does not serve any more.
func TestHelmPostRenders(t *testing.T) {
	program := claimbridge(t)
	plugins := filepath.Join(t.TempDir(), "claimbridge")
	must.Do(t, os.Mkdir(plugins, 0o755))
	copied(t, plugin, filepath.Join(plugins, "plugin.yaml"))
	must.Do(t, os.Symlink(program, filepath.Join(plugins, "claimbridge")))
	for name, renderer := range map[string]struct {
		program string
		args    []string
		quiet   bool // about what a post-renderer says
		hooks   bool // are handed over
	}{
		"release 3": {programs.Helm3, []string{"--post-renderer", program, "--post-renderer-args", "convert", "--post-renderer-args", "--atomic"}, false, false},
		"release 4": {programs.Helm4, []string{"--post-renderer", "claimbridge"}, true, true},
	} {
		t.Run(name, func(t *testing.T) {
			render := func(to string) (string, error) {
				args := append([]string{"template", "x", "testdata/chart"}, renderer.args...)
				cmd := exec.CommandContext(t.Context(), other(t, renderer.program), append(args, "--post-renderer-args", "--to="+to)...)
				cmd.Env = append(os.Environ(), "HELM_PLUGINS="+filepath.Dir(plugins))
				out, err := cmd.CombinedOutput()
				return string(out), err
			}
			got, err := render("1.36")
			if err != nil {
				t.Fatalf("%v\n%s", err, got)
			}
			for _, want := range []string{"apiVersion: resource.k8s.io/v1\n", "        exactly:\n", "kind: Deployment\n", "resourceClaimTemplateName: x-gpu\n"} {
				if !strings.Contains(got, want) {
					t.Errorf("no %q in\n%s", want, got)
				}
			}
			if converted := strings.Contains(got, "exactly: {deviceClassName: hook.example.com}"); converted != renderer.hooks || !strings.Contains(got, "hook.example.com") {
				t.Errorf("hooks are converted: %t, want %t:\n%s", converted, renderer.hooks, got)
			}
			if got, err := render("1.20"); err == nil || strings.Contains(got, `unknown release "1.20"`) == renderer.quiet {
				t.Errorf("a release that there are no claims in: %v\n%s", err, got)
			}
		})
	}
}

// other program, which is there or built.
func other(t *testing.T, name string) string {
	t.Helper()
	if testing.Short() {
		t.Skip("-short: kustomize and Helm take minutes to build the first time")
	}
	program := programs.Other(t, name)
	return program
}

// claimbridge as people have it.
func claimbridge(t *testing.T) string {
	t.Helper()
	return checkout.Claimbridge(t)
}

func copied(t *testing.T, from, to string) {
	t.Helper()
	in := must.Get(os.Open(from))(t)
	defer func() { _ = in.Close() }() // it was only read
	out := must.Get(os.Create(to))(t)
	must.Get(io.Copy(out, in))(t)
	must.Do(t, out.Close())
}

// What chart authors copy renders the version that the cluster serves, by both releases of Helm, and says the same in each.
func TestTheChartForAuthors(t *testing.T) {
	program := claimbridge(t)
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
				if said, code := ran(t, folder, nil, program, "validate", "--kubernetes-release=1.36", file); code != 0 {
					t.Errorf("%s\n%s", said, rendered)
				}
				if said, code := ran(t, folder, nil, program, "convert", "--to=v1", "--write", file); code != 0 {
					t.Errorf("%s\n%s", said, rendered)
				}
				return contentOf(t, folder, "rendered.yaml")
			}
			for _, version := range []string{"v1", "v1beta2", "v1beta1"} {
				got, err := render(version)
				if count := strings.Count(got, "apiVersion: resource.k8s.io/"+version+"\n"); err != nil || count != 3 {
					t.Errorf("%s: it is there %d times: %v\n%s", version, count, err, got)
				}
				if diff := cmp.Diff(objects(t, newest), objects(t, asV1(got))); diff != "" {
					t.Errorf("v1 is not what %s becomes (-v1 +%s):\n%s", version, version, diff)
				}
			}
			if got, err := render(); err == nil || !strings.Contains(got, "--api-versions resource.k8s.io/v1/DeviceClass") {
				t.Errorf("without a cluster: %v\n%s", err, got)
			}
		})
	}
}

// objects of a stream of YAML.
func objects(t *testing.T, stream string) (all []map[string]any) {
	t.Helper()
	for document := range strings.SplitSeq(stream, "\n---\n") {
		var object map[string]any
		must.Do(t, yaml.Unmarshal([]byte(document), &object))
		all = append(all, object)
	}
	return all
}
