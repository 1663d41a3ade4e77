package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestUntrackedFilesAreNotReleased checks that an untracked file is an error if it would be released, and is otherwise
// left out.
func TestUntrackedFilesAreNotReleased(t *testing.T) {
	root := t.TempDir()
	write := func(name, text string) {
		t.Helper()
		file := filepath.Join(root, name)
		mustDo(t, os.MkdirAll(filepath.Dir(file), 0o700))
		mustDo(t, os.WriteFile(file, []byte(text), 0o600))
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
		write(name, text)
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
	write(".git/info/exclude", "*mine*\n")

	for name, test := range map[string]struct {
		file    string
		isClean bool // the file is not part of the release
	}{
		"nothing":                           {isClean: true},
		"an example":                        {file: "docs/examples/kubeconfig.yaml"},
		"an example that is ignored":        {file: "docs/examples/kubeconfig-of-mine.yaml", isClean: true},
		"a template of a chart":             {file: "config/charts/claimbridge/templates/secret.yaml"},
		"a template that is ignored":        {file: "config/charts/claimbridge/templates/mine.yaml", isClean: true},
		"code":                              {file: "cmd/claimbridge/more.go"},
		"code that is ignored":              {file: "cmd/claimbridge/mine.go"},
		"code for Windows that is ignored":  {file: "cmd/claimbridge/mine_windows.go"},
		"code outside the program":          {file: "scratch/mine.go", isClean: true},
		"code of the tools that is ignored": {file: "tools/release/image/mine.go"},
		"embedded file":                     {file: "cmd/claimbridge/data/more.yaml"},
		"embedded file that is ignored":     {file: "cmd/claimbridge/data/mine.yaml"},
		"a build script":                    {file: ".ci/program"},
		"an unrelated file":                 {file: "todo.txt", isClean: true},
	} {
		t.Run(name, func(t *testing.T) {
			if test.file != "" {
				write(test.file, "package main\n")
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
			if test.isClean != (err == nil) || err != nil && !strings.Contains(err.Error(), "not committed") {
				t.Errorf("got %v", err)
			}
			if test.isClean != (s.revision == s.commit) {
				t.Errorf("the revision is %s, of the commit %s", s.revision, s.commit)
			}
			examples, err := r.files(t.Context(), "docs/examples")
			if err != nil || len(examples) != 1 || examples[0].Name != "docs/examples/claim.yaml" {
				t.Errorf("examples are %v: %v", examples, err)
			}
			r.staging = t.TempDir()
			if err := r.buildChart(t.Context()); err != nil {
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
