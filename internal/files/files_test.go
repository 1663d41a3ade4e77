package files

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/claimbridge/claimbridge/test/gitenv"
	"github.com/claimbridge/claimbridge/test/testkit/must"
)

func write(t *testing.T, name, text string, mode fs.FileMode) {
	t.Helper()
	must.Do(t, os.WriteFile(name, []byte(text), 0o600))
	must.Do(t, os.Chmod(name, mode))
}

func stage(t *testing.T, name, text string) *Staged {
	t.Helper()
	_, info := must.Get2(Read(At(name)))(t)
	return must.Get(Stage(At(name), []byte(text), info))(t)
}

// content returns the content of all files of a directory, by name.
func content(t *testing.T, dir string) map[string]string {
	t.Helper()
	entries := must.Get(os.ReadDir(dir))(t)
	all := map[string]string{}
	for _, entry := range entries {
		text := must.Get(os.ReadFile(filepath.Join(dir, entry.Name())))(t)
		all[entry.Name()] = string(text)
	}
	return all
}

func TestAFileIsReplacedWithItsMode(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "a")
	write(t, name, "old", 0o640)
	must.Do(t, os.Chmod(name, 0o640|os.ModeSetgid)) // a file of another owner must not get this bit
	must.Do(t, stage(t, name, "new").Replace())
	if info, err := os.Stat(name); err != nil || info.Mode() != 0o640 && runtime.GOOS != "windows" {
		t.Errorf("%v, %v", info.Mode(), err)
	}
	if diff := cmp.Diff(map[string]string{"a": "new"}, content(t, dir)); diff != "" {
		t.Error(diff)
	}
}

func TestReplaceKeepsALink(t *testing.T) {
	dir, other := t.TempDir(), t.TempDir()
	write(t, filepath.Join(other, "a"), "old", 0o600)
	link := filepath.Join(dir, "link")
	if err := os.Symlink(filepath.Join(other, "a"), link); err != nil {
		t.Skip(err)
	}
	must.Do(t, stage(t, link, "new").Replace())
	if info, err := os.Lstat(link); err != nil || info.Mode()&fs.ModeSymlink == 0 {
		t.Errorf("%v, %v", info.Mode(), err)
	}
	if diff := cmp.Diff(map[string]string{"a": "new"}, content(t, other)); diff != "" {
		t.Error(diff)
	}
}

// A process may replace the directory itself by another one.
func TestAReplacedDirectoryIsNotRead(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "d")
	must.Do(t, os.Mkdir(dir, 0o700))
	root := must.Get(OpenRoot(dir))(t)
	must.Do(t, errors.Join(os.Rename(dir, dir+"-away"), os.Mkdir(dir, 0o700)))
	write(t, filepath.Join(dir, "a"), "theirs", 0o600)
	if _, _, err := Read(Below(root, "a", "shown/a", "shown/a")); !errors.Is(err, errReplaced) {
		t.Errorf("%v", err)
	}
}

// Any process that may write to a directory can replace it with a link to a directory of another user, at any time.
func TestADirectoryThatBecomesALinkIsNotFollowed(t *testing.T) {
	for name, swapBefore := range map[string]int{
		"before it is read": 0, "before it is staged": 1, "before it is replaced": 2,
	} {
		t.Run(name, func(t *testing.T) {
			dir, outside := t.TempDir(), t.TempDir()
			must.Do(t, os.Mkdir(filepath.Join(dir, "d"), 0o700))
			root := must.Get(OpenRoot(dir))(t)
			write(t, filepath.Join(dir, "d", "a"), "old", 0o600)
			write(t, filepath.Join(outside, "a"), "theirs", 0o600)
			at := Below(root, filepath.Join("d", "a"), "shown/d/a", "shown/d/a")
			var info fs.FileInfo
			var s *Staged
			for step, do := range []func() error{
				func() (err error) { _, info, err = Read(at); return err },
				func() (err error) { s, err = Stage(at, []byte("new"), info); return err },
				func() error { return s.Replace() },
			} {
				if step == swapBefore {
					err := errors.Join(os.Rename(filepath.Join(dir, "d"), filepath.Join(dir, "away")),
						os.Symlink(outside, filepath.Join(dir, "d")))
					if err != nil {
						t.Skip(err)
					}
				}
				if err := do(); (err != nil) != (step >= swapBefore) {
					t.Fatalf("step %d: %v", step, err)
				} else if err != nil {
					if !strings.HasPrefix(err.Error(), "shown/d/") {
						t.Errorf("%v", err)
					}
					break
				}
			}
			if diff := cmp.Diff(map[string]string{"a": "theirs"}, content(t, outside)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestAReadOnlyFileIsUnchanged(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "a")
	write(t, name, "old", 0o444)
	_, info := must.Get2(Read(At(name)))(t)
	if _, err := Stage(At(name), []byte("new"), info); err == nil || !strings.Contains(err.Error(), "is read-only") {
		t.Errorf("%v", err)
	}
	if diff := cmp.Diff(map[string]string{"a": "old"}, content(t, dir)); diff != "" {
		t.Error(diff)
	}
}

func TestAFileThatAnotherProcessChangedIsUnchanged(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "a")
	write(t, name, "old", 0o600)
	s := stage(t, name, "new")
	write(t, name, "own", 0o600)
	must.Do(t, os.Chtimes(name, time.Time{}, time.Now().Add(time.Hour)))
	if err := s.Replace(); err == nil || !strings.Contains(err.Error(), "changed by another process during the run") {
		t.Errorf("%v", err)
	}
	s.Discard()
	if diff := cmp.Diff(map[string]string{"a": "own"}, content(t, dir)); diff != "" {
		t.Error(diff)
	}
}

func TestAllFilesAreReplacedOrNone(t *testing.T) {
	for name, fails := range map[string]bool{"all": false, "none": true} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			var all []*Staged
			for _, name := range []string{"a", "b", "c"} {
				write(t, filepath.Join(dir, name), "old "+name, 0o600)
				all = append(all, stage(t, filepath.Join(dir, name), "new "+name))
			}
			fresh := must.Get(StageNew(At(filepath.Join(dir, "0")), []byte("new 0"), 0o600))(t)
			all = append([]*Staged{fresh}, all...)
			before := must.Get(os.Stat(filepath.Join(dir, "a")))(t)
			want := map[string]string{"0": "new 0", "a": "new a", "b": "new b", "c": "new c"}
			if fails {
				want = map[string]string{"a": "old a", "b": "old b", "c": "changed"}
				write(t, filepath.Join(dir, "c"), "changed", 0o600)
			}
			if err := ReplaceAll(all); (err != nil) != fails {
				t.Errorf("%v", err)
			}
			if diff := cmp.Diff(want, content(t, dir)); diff != "" {
				t.Error(diff)
			}
			after := must.Get(os.Stat(filepath.Join(dir, "a")))(t)
			if isSame := os.SameFile(before, after); isSame != fails {
				t.Errorf("a is the same file: %t, want %t", isSame, fails)
			}
		})
	}
}

func TestWithoutLinksABackupIsACopy(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "a")
	write(t, name, "old", 0o640)
	s := stage(t, name, "new")
	backup := s.temporary + "-was" // makes the link fail, as on a file system without links
	write(t, backup, "", 0o600)
	must.Do(t, s.backUp())
	must.Do(t, os.Remove(backup))
	must.Do(t, s.Replace())
	must.Do(t, s.restore())
	if diff := cmp.Diff(map[string]string{"a": "old"}, content(t, dir)); diff != "" {
		t.Error(diff)
	}
}

func TestATooLargeFileIsRejected(t *testing.T) {
	name := filepath.Join(t.TempDir(), "a")
	write(t, name, "", 0o600)
	if err := os.Truncate(name, MaxSize+1); err != nil {
		t.Skip(err)
	}
	if _, _, err := Read(At(name)); err == nil || !strings.Contains(err.Error(), "exceeds 100 MiB") {
		t.Errorf("%v", err)
	}
}

func TestGitAppliesADiff(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed")
	}
	tests := map[string]struct{ name, before, after string }{
		"a line in the middle":         {"a.yaml", "1\n2\n3\n4\n5\n6\n7\n8\n9\n", "1\n2\n3\n4\nfive\n6\n7\n8\n9\n"},
		"no line end":                  {"a.yaml", "1\n2", "1\nzwei"},
		"an added line end":            {"a.yaml", "1\n2", "1\n2\n"},
		"CRLF":                         {"a.yaml", "1\r\n2\r\n", "1\r\nzwei\r\n"},
		"lines like those of a diff":   {"a.yaml", "@@ x\n-- b\n++ c\n", "@@ y\n-- b\n++ d\n"},
		"a name with a space":          {"a b.yaml", "1\n", "2\n"},
		"a name with a quote":          {`a"b.yaml`, "1\n", "2\n"},
		"a name with an accent":        {"é.yaml", "1\n", "2\n"},
		"a file in nested directories": {"x/y/z.yaml", "1\n", "2\n"},
		"an empty file":                {"a.yaml", "", "2\n"},
		"a name with dots":             {"./x/../a.yaml", "1\n", "2\n"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			file := filepath.Join(dir, test.name)
			must.Do(t, os.MkdirAll(filepath.Join(dir, "x/y"), 0o700))
			write(t, file, test.before, 0o600)
			cmd := exec.Command("git", "apply", "--verbose", "-")
			cmd.Dir = dir
			cmd.Stdin = bytes.NewReader(Diff(test.name, []byte(test.before), []byte(test.after)))
			cmd.Env = append(gitenv.Clean(), "GIT_CEILING_DIRECTORIES="+filepath.Dir(dir))
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Fatalf("%v: %s", err, out)
			}
			got, err := os.ReadFile(file)
			if err != nil || string(got) != test.after {
				t.Errorf("%q, %v", got, err)
			}
		})
	}
}

func TestColorize(t *testing.T) {
	got := string(Colorize(Diff("a", []byte("0\n1\r\n"), []byte("0\n2\r\n"))))
	want := bold + "diff --git a/a b/a" + reset + "\n" + bold + "--- a/a" + reset + "\n" + bold + "+++ b/a" + reset +
		"\n" +
		cyan + "@@ -1,2 +1,2 @@" + reset + "\n 0\n" + red + "-1" + reset + "\r\n" + green + "+2" + reset + "\r\n"
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}
