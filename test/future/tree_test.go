//go:build e2e

package future

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// tree is a copy of the repository with changes applied.
type tree struct {
	folder  string
	changes []change
}

func newTree(t *testing.T, changes []change) *tree {
	t.Helper()
	tr := &tree{folder: t.TempDir(), changes: changes}
	list := exec.CommandContext(t.Context(), "git", "ls-files", "-z", "--cached", "--others", "--exclude-standard")
	list.Dir = root
	names, err := list.Output()
	if err != nil {
		t.Fatalf("git ls-files: %v", err)
	}
	var files []string
	for name := range strings.SplitSeq(string(names), "\x00") {
		info, err := os.Lstat(filepath.Join(root, name))
		if err == nil && info.Mode().IsRegular() { // neither removed nor a link
			files = append(files, name)
		}
	}
	for _, c := range changes {
		for _, e := range c.edits {
			files = append(files, e.file)
		}
	}
	tr.write(t, files, -1)
	return tr
}

// text returns the content of a file with all changes but one; empty if the file does not exist.
func (tr *tree) text(file string, without int) string {
	text := ""
	content, err := os.ReadFile(filepath.Join(root, file))
	if err == nil {
		text = string(content)
	}
	for i, c := range tr.changes {
		for _, e := range c.edits {
			if e.file == file && i != without {
				text = e.apply(text)
			}
		}
	}
	return text
}

// write writes files with all changes but one. An empty file is removed.
func (tr *tree) write(t *testing.T, files []string, without int) {
	t.Helper()
	for _, file := range files {
		path := filepath.Join(tr.folder, file)
		text := tr.text(file, without)
		err := os.MkdirAll(filepath.Dir(path), 0o700)
		if text == "" {
			_ = os.Remove(path)
		} else if err == nil {
			err = os.WriteFile(path, []byte(text), 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

// test runs go test in the tree.
func (tr *tree) test(t *testing.T, arguments ...string) (string, error) {
	t.Helper()
	command := exec.CommandContext(t.Context(), "go", append([]string{"test", "-vet=off", "-short"}, arguments...)...)
	command.Dir = tr.folder
	command.Env = append(os.Environ(), "CLAIMBRIDGE_OBJECTS=60", "GOFLAGS=-trimpath")
	output, err := command.CombinedOutput()
	return string(output), err
}
