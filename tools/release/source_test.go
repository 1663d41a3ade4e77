package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// What git does not track is in no release that is named by a commit: it is left out, or named.
func TestUntrackedFilesAreNotReleased(t *testing.T) {
	root := t.TempDir()
	put := func(name, text string) {
		t.Helper()
		at := filepath.Join(root, name)
		mustDo(t, os.MkdirAll(filepath.Dir(at), 0o700))
		mustDo(t, os.WriteFile(at, []byte(text), 0o600))
	}
	const metadata = "name: claimbridge\nversion: 0.1.0\nappVersion: v0.1.0\n"
	for name, text := range map[string]string{
		"go.mod": "module example.com/claimbridge\n",
		"cmd/claimbridge/main.go": "package main\n\nimport \"embed\"\n\n//go:embed data/*\nvar data " +
			"embed.FS\n\nfunc main() {}\n",
		"cmd/claimbridge/data/tracked.yaml":     "",
		"config/charts/claimbridge/Chart.yaml":  metadata,
		"config/charts/claimbridge/values.yaml": "image:\n  digest: \"\"\n",
		"docs/examples/claim.yaml":              "",
	} {
		put(name, text)
	}
	for _, args := range [][]string{
		{"init", "-q"},
		{"add", "."},
		{
			"-c", "commit.gpgsign=false", "-c", "user.name=a", "-c", "user.email=a@example.com", "commit",
			"-q", "-m", "a",
		},
	} {
		out, err := exec.CommandContext(t.Context(), "git", append([]string{"-C", root}, args...)...).CombinedOutput()
		if err != nil {
			t.Fatalf("git %q: %v\n%s", args, err, out)
		}
	}
	put(".git/info/exclude", "*mine*\n")

	for is, test := range map[string]struct {
		file  string
		clean bool
	}{
		"nothing":                           {clean: true},
		"an example":                        {file: "docs/examples/kubeconfig.yaml"},
		"an example that is ignored":        {file: "docs/examples/kubeconfig-of-mine.yaml", clean: true},
		"a template of a chart":             {file: "config/charts/claimbridge/templates/secret.yaml"},
		"a template that is ignored":        {file: "config/charts/claimbridge/templates/mine.yaml", clean: true},
		"code":                              {file: "cmd/claimbridge/more.go"},
		"code that is ignored":              {file: "cmd/claimbridge/mine.go"},
		"code for Windows that is ignored":  {file: "cmd/claimbridge/mine_windows.go"},
		"code that is of no program":        {file: "scratch/mine.go", clean: true},
		"code of the tools that is ignored": {file: "tools/release/image/mine.go"},
		"what is embedded":                  {file: "cmd/claimbridge/data/more.yaml"},
		"what is embedded, though ignored":  {file: "cmd/claimbridge/data/mine.yaml"},
		"a script that builds":              {file: ".ci/program"},
		"a file of the user in the project": {file: "todo.txt", clean: true},
	} {
		t.Run(is, func(t *testing.T) {
			if test.file != "" {
				put(test.file, "package main\n")
				defer func() {
					if err := os.Remove(filepath.Join(root, test.file)); err != nil {
						t.Error(err)
					}
				}()
			}
			r := release{
				root:      root,
				version:   "v0.2.0",
				platforms: platforms,
				image:     "example.com/claimbridge:v0.2.0@sha256:00",
			}
			s, err := r.readSource(t.Context())
			if test.clean != (err == nil) || err != nil && !strings.Contains(err.Error(), "not committed") {
				t.Errorf("got %v", err)
			}
			if test.clean != (s.revision == s.commit) {
				t.Errorf("the revision is %s, of the commit %s", s.revision, s.commit)
			}
			examples, err := r.files(t.Context(), "docs/examples")
			if err != nil || len(examples) != 1 || examples[0].Name != "docs/examples/claim.yaml" {
				t.Errorf("examples are %v: %v", examples, err)
			}
			r.staging = t.TempDir()
			if err := r.makeChart(t.Context()); err != nil {
				t.Error(err)
			}
			chart, err := r.chart(t.Context())
			var names []string
			for _, e := range chart {
				names = append(names, e.Name)
			}
			if err != nil || !slices.Equal(names, []string{"claimbridge/Chart.yaml", "claimbridge/values.yaml"}) {
				t.Errorf("the chart has %q: %v", names, err)
			}
		})
	}
}
