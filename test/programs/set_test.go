package programs

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/claimbridge/claimbridge/test/testkit/must"
)

// TestFolder checks that Folder builds a module once, and again after a source file changes.
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
	write("main.go", "package main\n\nfunc main() { print(`first`) }\n")
	set := Set{Name: "test", Notice: "building", Programs: []Program{
		{Name: "hello", Dir: module, Sources: []string{"go.mod", "main.go"}, Args: []string{"."}},
	}}
	outputOf := func(folder string) string {
		t.Helper()
		output := must.Get(exec.CommandContext(t.Context(), filepath.Join(folder, "hello")).CombinedOutput())(t)
		return string(output)
	}
	folder := func() string {
		t.Helper()
		return must.Get(set.Folder(t.Context()))(t)
	}

	firstFolder := folder()
	if got := outputOf(firstFolder); got != "first" {
		t.Errorf("output of the first program: got %q, want %q", got, "first")
	}
	if got := folder(); got != firstFolder {
		t.Errorf("folder of unchanged sources: got %s, want %s", got, firstFolder)
	}
	write("main.go", "package main\n\nfunc main() { print(`second`) }\n")
	secondFolder := folder()
	if got := outputOf(secondFolder); got != "second" {
		t.Errorf("output of the second program: got %q, want %q", got, "second")
	}
	if got := outputOf(firstFolder); got != "first" {
		t.Errorf("output of the first program after the second build: got %q, want %q", got, "first")
	}
	write("main.go", "package main\n\nfunc main() { pint() }\n")
	if _, err := set.Folder(t.Context()); err == nil || !strings.Contains(err.Error(), "undefined: pint") {
		t.Errorf("sources that do not compile: got error %v, want undefined: pint", err)
	}
	entries := must.Get(os.ReadDir(filepath.Dir(firstFolder)))(t)
	if len(entries) != 2 {
		t.Errorf("got the folders %v, want one for each of the two builds", entries)
	}
}
