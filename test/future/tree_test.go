//go:build e2e

package future

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/claimbridge/claimbridge/test/testkit/must"
)

// tree is a copy of the repository in which places are written.
type tree struct {
	folder string
	places []place
	// made are files that commands wrote.
	made map[string]made
}

// made by a command of a place.
type made struct {
	by   int
	text string
}

func plant(t *testing.T, places []place) *tree {
	t.Helper()
	tr := &tree{folder: t.TempDir(), places: places, made: map[string]made{}}
	list := exec.CommandContext(t.Context(), "git", "ls-files", "-z", "--cached", "--others", "--exclude-standard")
	list.Dir = root
	names, err := list.Output()
	if err != nil {
		t.Fatalf("git ls-files: %v", err)
	}
	var all []string
	for name := range strings.SplitSeq(string(names), "\x00") {
		if info, err := os.Lstat(filepath.Join(root, name)); err == nil && info.Mode().IsRegular() { // not removed, and no link
			all = append(all, name)
		}
	}
	for _, p := range places {
		for _, e := range p.edits {
			all = append(all, e.file)
		}
	}
	tr.write(t, all, -1)
	for i := range places {
		tr.make(t, i)
	}
	return tr
}

// make what the commands of a place make.
func (tr *tree) make(t *testing.T, by int) {
	t.Helper()
	begun := time.Now()
	for _, command := range tr.places[by].commands {
		if output, err := tr.run(t, command...); err != nil {
			t.Fatalf("%v: %v\n%s", command, err, output)
		}
	}
	if len(tr.places[by].commands) == 0 {
		return
	}
	must.Do(t, filepath.WalkDir(tr.folder, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		file := strings.TrimPrefix(path, tr.folder+"/")
		if info, err := d.Info(); err == nil && info.ModTime().After(begun) {
			if text := read(t, path); text != tr.text(file, -1) {
				tr.made[file] = made{by, text}
			}
		}
		return nil
	}))
}

// text of a file without one of the places; empty where there is none.
func (tr *tree) text(file string, without int) (text string) {
	if m, isMade := tr.made[file]; isMade && m.by != without {
		return m.text
	}
	if content, err := os.ReadFile(filepath.Join(root, file)); err == nil {
		text = string(content)
	}
	for i, p := range tr.places {
		for _, e := range p.edits {
			if e.file == file && i != without {
				text = e.of(text)
			}
		}
	}
	return text
}

// write files as they are without one of the places. One that nothing is in any more goes.
func (tr *tree) write(t *testing.T, files []string, without int) {
	t.Helper()
	for _, file := range files {
		at, text := filepath.Join(tr.folder, file), tr.text(file, without)
		err := os.MkdirAll(filepath.Dir(at), 0o700)
		if text == "" {
			_ = os.Remove(at)
		} else if err == nil {
			err = os.WriteFile(at, []byte(text), 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

// run a command in the tree.
func (tr *tree) run(t *testing.T, command ...string) (output string, err error) {
	t.Helper()
	c := exec.CommandContext(t.Context(), command[0], command[1:]...)
	c.Dir = tr.folder
	c.Env = append(os.Environ(), "CLAIMBRIDGE_OBJECTS=60")
	if !slices.Contains(command, "-tags=e2e") { // what builds programs looks for their sources
		c.Env = append(c.Env, "GOFLAGS=-trimpath")
	}
	out, err := c.CombinedOutput()
	return string(out), err
}

func (tr *tree) test(t *testing.T, arguments ...string) (output string, err error) {
	t.Helper()
	return tr.run(t, append([]string{"go", "test", "-vet=off", "-short"}, arguments...)...)
}
