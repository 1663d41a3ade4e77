package programs

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// A module of one file stands for Kubernetes.
func TestFolder(t *testing.T) {
	goCache, err := exec.CommandContext(t.Context(), "go", "env", "GOCACHE").Output()
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("GOCACHE", strings.TrimSpace(string(goCache)))
	cache := t.TempDir()
	t.Setenv("XDG_CACHE_HOME", cache)
	t.Setenv("HOME", cache)
	t.Setenv("LocalAppData", cache)

	module := t.TempDir()
	write := func(file, text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(module, file), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("go.mod", "module example.com/hello\n\ngo 1.26\n")
	write("main.go", "package main\n\nfunc main() { print(`one`) }\n")
	set := Set{Name: "test", Patience: "building", Programs: []Program{
		{Name: "hello", Dir: module, Sources: []string{"go.mod", "main.go"}, Args: []string{"."}},
	}}
	says := func(folder string) string {
		t.Helper()
		output, err := exec.CommandContext(t.Context(), filepath.Join(folder, File("hello"))).CombinedOutput()
		if err != nil {
			t.Fatal(err)
		}
		return string(output)
	}
	folder := func() string {
		t.Helper()
		folder, err := set.Folder(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		return folder
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
	entries, err := os.ReadDir(filepath.Dir(first))
	if err != nil {
		t.Fatal(err)
	}
	if len(entries) != 2 {
		t.Errorf("left behind: %v", entries)
	}
}
