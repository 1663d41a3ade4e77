package cli

import (
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"github.com/claimbridge/claimbridge/internal/yamldoc"
	"github.com/claimbridge/claimbridge/test/gitenv"
	"github.com/claimbridge/claimbridge/test/testkit/must"
)

// TestRepositoriesAreConvertedInPlace converts published repositories, with the files of a platform team added. Only
// files that must change are changed. Files that need manual changes are reported and unchanged. A second run, without
// these files, changes nothing.
func TestRepositoriesAreConvertedInPlace(t *testing.T) {
	published, err := filepath.Glob(corpus + "/*.yaml")
	if err != nil || len(published) < 8 {
		t.Fatalf("no corpus: %v", err)
	}
	changed := 0
	for _, file := range published {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".yaml"), func(t *testing.T) {
			r := newRepository(t)
			before := r.files(t, file)
			after := r.platform(t)
			r.git(t, "add", "--all")
			r.git(t, "commit", "--quiet", "--message=as it was")

			// Chart templates need manual changes.
			exclude := []string{"--exclude=charts/*/templates"}
			output, manual, code := r.convert(t, append(exclude, "--write")...)
			if want := min(len(manual), 1); code != want {
				t.Fatalf("exit code %d, want %d\n%s", code, want, output)
			}
			for name, text := range after {
				if diff := cmp.Diff(text, r.read(t, name)); diff != "" {
					t.Errorf("%s (-want +got)\n%s", name, diff)
				}
			}
			for name, text := range before {
				got := r.read(t, name)
				if slices.Contains(manual, name) {
					if diff := cmp.Diff(text, got); diff != "" {
						t.Errorf("%s needs manual changes, and is changed\n%s", name, diff)
					}
					continue
				}
				if text != got {
					changed++
				}
			}

			// A second run excludes files that need manual changes.
			for _, name := range manual {
				exclude = append(exclude, "--exclude="+name)
			}
			r.git(t, "add", "--all")
			r.git(t, "commit", "--quiet", "--message=converted")
			if output, _, code := r.convert(t, append(exclude, "--check", "--diff")...); code != 0 {
				t.Errorf("--check: exit code %d\n%s", code, output)
			}
			if output, _, code := r.convert(t, append(exclude, "--write")...); code != 0 {
				t.Errorf("second run: exit code %d\n%s", code, output)
			}
			if status := r.git(t, "status", "--porcelain"); status != "" {
				t.Errorf("the second run changed\n%s", status)
			}
		})
	}
	if changed < 30 {
		t.Errorf("only %d files were changed", changed)
	}
}

// repository is the directory of a Git repository.
type repository string

func newRepository(t *testing.T) repository {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed")
	}
	r := repository(t.TempDir())
	r.git(t, "init", "--quiet")
	return r
}

func (r repository) git(t *testing.T, args ...string) string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "git", append([]string{
		"-c", "user.name=test", "-c", "user.email=test@example.com", "-c", "core.autocrlf=false",
	}, args...)...)
	cmd.Dir = string(r)
	cmd.Env = gitenv.Clean()
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("git %v: %v\n%s", args, err, out)
	}
	return string(out)
}

func (r repository) write(t *testing.T, name, text string) {
	t.Helper()
	file := filepath.Join(string(r), filepath.FromSlash(name))
	must.Do(t, os.MkdirAll(filepath.Dir(file), 0o755))
	must.Do(t, os.WriteFile(file, []byte(text), 0o600))
}

func (r repository) read(t *testing.T, name string) string {
	t.Helper()
	return read(t, filepath.Join(string(r), filepath.FromSlash(name)))
}

// sourcePath matches the comment with the path of a document in its repository.
var sourcePath = regexp.MustCompile(`(?m)^# (\S+) @ `)

// files writes the documents of a corpus file to their original paths, and returns the files.
func (r repository) files(t *testing.T, corpus string) map[string]string {
	t.Helper()
	all := map[string]string{}
	for reader := yamldoc.NewReader(strings.NewReader(read(t, corpus)), corpus); ; {
		d, err := reader.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		match := sourcePath.FindSubmatch(d.Text)
		if match == nil {
			t.Fatalf("%s has no comment with its path", d.Position)
		}
		name := string(match[1])
		if all[name] != "" {
			all[name] += "---\n"
		}
		all[name] += string(d.Text)
	}
	for name, text := range all {
		r.write(t, name, text)
	}
	return all
}

// platform writes the files of the platform team, and returns them as they are after the conversion.
func (r repository) platform(t *testing.T) (after map[string]string) {
	t.Helper()
	archive := must.Get(txtar.ParseFile("testdata/platform.txtar"))(t)
	after = map[string]string{}
	for _, f := range archive.Files {
		if name, isBefore := strings.CutPrefix(f.Name, "before/"); isBefore {
			r.write(t, name, string(f.Data))
			after[name] = string(f.Data)
		}
	}
	for _, f := range archive.Files {
		if name, isAfter := strings.CutPrefix(f.Name, "after/"); isAfter {
			after[name] = string(f.Data)
		}
	}
	return after
}

// convert converts the repository for 1.36. It returns the output, and the files that need manual changes.
func (r repository) convert(t *testing.T, flags ...string) (output string, manual []string, code int) {
	t.Helper()
	t.Chdir(string(r))
	stdout, stderr, code := claimbridge(t, "", append([]string{"convert", "--to", "1.36", "."}, flags...)...)
	for line := range strings.Lines(stderr) {
		name, _, isFinding := strings.Cut(line, ": document ")
		if isFinding && !strings.Contains(line, ": warning: ") && !slices.Contains(manual, filepath.ToSlash(name)) {
			manual = append(manual, filepath.ToSlash(name))
		}
	}
	return stdout + stderr, manual, code
}
