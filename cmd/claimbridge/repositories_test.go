package main

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

	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/yamldoc"
	"github.com/claimbridge/claimbridge/test/gitenv"
	"github.com/claimbridge/claimbridge/test/testkit/must"
)

// Repositories as people published them, each file at its place, with what the platform team of a
// company keeps beside: they are converted where they stand, and nobody sees more of it than what
// had to change. What needs manual changes is named, stays, and is told to be left alone.
func TestRepositoriesAreConvertedWhereTheyStand(t *testing.T) {
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

			// Templates of charts are converted by hand, and checked as rendered.
			exclude := []string{"--exclude=charts/*/templates"}
			told, left, code := r.convert(t, append(exclude, "--write")...)
			if want := min(len(left), 1); code != want {
				t.Fatalf("exit code %d, want %d\n%s", code, want, told)
			}
			for name, text := range after {
				if diff := cmp.Diff(text, r.read(t, name)); diff != "" {
					t.Errorf("%s (-want +got)\n%s", name, diff)
				}
			}
			for name, text := range before {
				is := r.read(t, name)
				if slices.Contains(left, name) {
					if diff := cmp.Diff(text, is); diff != "" {
						t.Errorf("%s needs manual changes, and is changed\n%s", name, diff)
					}
					continue
				}
				if text != is {
					changed++
				}
			}

			// What is left is excluded; then nothing is left to do.
			for _, name := range left {
				exclude = append(exclude, "--exclude="+name)
			}
			r.git(t, "add", "--all")
			r.git(t, "commit", "--quiet", "--message=converted")
			if told, _, code := r.convert(t, append(exclude, "--check", "--diff")...); code != 0 {
				t.Errorf("--check: exit code %d\n%s", code, told)
			}
			if told, _, code := r.convert(t, append(exclude, "--write")...); code != 0 {
				t.Errorf("a second time: exit code %d\n%s", code, told)
			}
			if again := r.git(t, "status", "--porcelain"); again != "" {
				t.Errorf("a second time changed\n%s", again)
			}
		})
	}
	if changed < 30 {
		t.Errorf("only %d files were changed", changed)
	}
}

// repository of git in a folder.
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

var placeOf = regexp.MustCompile(`(?m)^# (\S+) @ `)

// files of the corpus, each at the place where its authors had it.
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
		place := placeOf.FindSubmatch(d.Text)
		if place == nil {
			t.Fatalf("%s does not say where it is from", d.Position)
		}
		name := string(place[1])
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

// platform has files of our own, and gives what they are to become.
func (r repository) platform(t *testing.T) (after map[string]string) {
	t.Helper()
	archive := must.Get(txtar.ParseFile("testdata/platform.txtar"))(t)
	after = map[string]string{}
	for _, f := range archive.Files {
		if name, before := strings.CutPrefix(f.Name, "before/"); before {
			r.write(t, name, string(f.Data))
			after[name] = string(f.Data)
		}
	}
	for _, f := range archive.Files {
		if name, is := strings.CutPrefix(f.Name, "after/"); is {
			after[name] = string(f.Data)
		}
	}
	return after
}

// convert all for 1.36, and give the files that need manual changes.
func (r repository) convert(t *testing.T, flags ...string) (told string, left []string, code int) {
	t.Helper()
	t.Chdir(string(r))
	out, told, code := claimbridge(t, "", append([]string{"convert", "--to", "1.36", "."}, flags...)...)
	for line := range strings.Lines(told) {
		name, _, is := strings.Cut(line, ": document ")
		if is && !strings.Contains(line, ": warning: ") && !slices.Contains(left, filepath.ToSlash(name)) {
			left = append(left, filepath.ToSlash(name))
		}
	}
	return out + told, left, code
}
