package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestUntrackedFilesAreNotReleased checks that an untracked file is an error if a release would contain it, and that
// releases do not contain other untracked files.
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
	write(".git/info/exclude", "*ignored*\n")

	for name, test := range map[string]struct {
		file    string // untracked or ignored file
		wantErr bool
	}{
		"no untracked file":            {},
		"example":                      {file: "docs/examples/kubeconfig.yaml", wantErr: true},
		"ignored example":              {file: "docs/examples/ignored.yaml"},
		"template of the chart":        {file: "config/charts/claimbridge/templates/secret.yaml", wantErr: true},
		"ignored template":             {file: "config/charts/claimbridge/templates/ignored.yaml"},
		"code":                         {file: "cmd/claimbridge/more.go", wantErr: true},
		"ignored code":                 {file: "cmd/claimbridge/ignored.go", wantErr: true},
		"ignored code for Windows":     {file: "cmd/claimbridge/ignored_windows.go", wantErr: true},
		"ignored code outside program": {file: "scratch/ignored.go"},
		"ignored code of the tools":    {file: "tools/release/image/ignored.go", wantErr: true},
		"embedded file":                {file: "cmd/claimbridge/data/more.yaml", wantErr: true},
		"ignored embedded file":        {file: "cmd/claimbridge/data/ignored.yaml", wantErr: true},
		"build script":                 {file: ".ci/program", wantErr: true},
		"unrelated file":               {file: "todo.txt"},
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
			if test.wantErr != (err != nil) || err != nil && !strings.Contains(err.Error(), "uncommitted changes") {
				t.Errorf("got error %v, want one about uncommitted changes: %t", err, test.wantErr)
			}
			wantRevision := s.commit
			if test.wantErr {
				wantRevision += "-dirty"
			}
			if s.revision != wantRevision {
				t.Errorf("got revision %s, want %s", s.revision, wantRevision)
			}
			examples, err := r.files(t.Context(), "docs/examples")
			if err != nil || len(examples) != 1 || examples[0].Name != "docs/examples/claim.yaml" {
				t.Errorf("got the examples %v and error %v, want only docs/examples/claim.yaml", examples, err)
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
			want := []string{"claimbridge/Chart.yaml", "claimbridge/values.yaml"}
			if err != nil || !slices.Equal(names, want) {
				t.Errorf("files of the chart: got %q and error %v, want %q", names, err, want)
			}
		})
	}
}
