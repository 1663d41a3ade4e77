package programs

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/claimbridge/claimbridge/test/testkit/must"
)

// A module of one file stands for Kubernetes.
func TestFolder(t *testing.T) {
	goCache := must.Get(exec.CommandContext(t.Context(), "go", "env", "GOCACHE").Output())(t)
	t.Setenv("GOCACHE", strings.TrimSpace(string(goCache)))
	cache := t.TempDir()
	t.Setenv("XDG_CACHE_HOME", cache)
	t.Setenv("HOME", cache)
	t.Setenv("LocalAppData", cache)

	module := t.TempDir()
	write := func(file, text string) {
		t.Helper()
		must.Do(t, os.WriteFile(filepath.Join(module, file), []byte(text), 0o600))
	}
	write("go.mod", "module example.com/hello\n\ngo 1.26\n")
	write("main.go", "package main\n\nfunc main() { print(`one`) }\n")
	set := Set{Name: "test", Patience: "building", Programs: []Program{
		{Name: "hello", Dir: module, Sources: []string{"go.mod", "main.go"}, Args: []string{"."}},
	}}
	says := func(folder string) string {
		t.Helper()
		output := must.Get(exec.CommandContext(t.Context(), filepath.Join(folder, "hello")).CombinedOutput())(t)
		return string(output)
	}
	folder := func() string {
		t.Helper()
		return must.Get(set.Folder(t.Context()))(t)
	}

	first := folder()
	if got := says(first); got != "one" {
		t.Errorf("it says %q", got)
	}
	if again := folder(); again != first {
		t.Errorf("the same sources in another folder: %s, %s", first, again)
	}
	write("main.go", "package main\n\nfunc main() { print(`two`) }\n")
	second := folder()
	if got := says(second) + says(first); got != "twoone" {
		t.Errorf("both say %q", got)
	}
	write("main.go", "package main\n\nfunc main() { pint() }\n")
	if _, err := set.Folder(t.Context()); err == nil || !strings.Contains(err.Error(), "undefined: pint") {
		t.Errorf("what does not compile: %v", err)
	}
	entries := must.Get(os.ReadDir(filepath.Dir(first)))(t)
	if len(entries) != 2 {
		t.Errorf("left behind: %v", entries)
	}
}
