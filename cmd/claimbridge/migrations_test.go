package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/yaml"

	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/release"
	"github.com/claimbridge/claimbridge/test/testkit/must"
)

const migrations = "../../test/repositories/testdata/"

// byPeople is a migration of a repository: files before it, and as people left them, unless it is
// of HEAD. Work is what is left after the program: what is replaced by what in a file, which is as
// people wrote it, or another text; one that goes has none.
type byPeople struct {
	Name, Revision, To string
	Exclude            string // files that stay, when the work is done
	Work               map[string][]string
}

// What the program does with repositories of others, beside what their people did: the table says
// it in numbers. Each manifest with an object of another version is changed or reported, and when
// the work is done that errors ask for, the check is green.
func TestMigrationsOfOthers(t *testing.T) {
	var all []byPeople
	text, err := os.ReadFile(migrations + "migrations.yaml")
	if err == nil {
		err = yaml.UnmarshalStrict(text, &all)
	}
	if err != nil || len(all) < 25 {
		t.Fatalf("%d migrations: %v", len(all), err)
	}
	table := "repository\tto\tby people\tby the program\tsame\tsame content\telse\tmore\ttold\n"
	for _, m := range all {
		t.Run(m.Name+"-"+m.Revision, func(t *testing.T) { table += m.row(t) })
	}
	file := migrations + "migrations.txt"
	if *update && os.WriteFile(file, []byte(table), 0o600) != nil {
		t.Fatal("it cannot be written")
	}
	want, err := os.ReadFile(file)
	if diff := cmp.Diff(string(want), table); diff != "" || err != nil {
		t.Errorf("%v (-want +got)\n%s", err, diff)
	}
}

var (
	hasOld   = regexp.MustCompile(`(?m)^[\s-]*apiVersion: resource\.k8s\.io/(v1(?:alpha|beta)\d)`)
	isYAML   = regexp.MustCompile(`\.(?:yaml|yml|json)$`)
	editable = regexp.MustCompile(`(?m)^.*\.(?:yaml|yml|json|md)$`) // by the program
)

func (m *byPeople) row(t *testing.T) string {
	// git says whether it is there
	patch, _ := filepath.Abs(migrations + "migrations/" + m.Name + "-" + m.Revision + ".patch")
	r := newRepository(t)
	r.git(t, "am", "--quiet", "--keep-cr", "--empty=keep", patch)
	people := strings.TrimSpace(r.git(t, "rev-parse", "HEAD"))
	if m.Revision != "HEAD" {
		r.git(t, "checkout", "--quiet", "HEAD~1")
	}
	const report = ".git/found.json"
	t.Chdir(string(r))
	convert := func(flags ...string) (told map[string]bool) {
		args := []string{"convert", "--to", m.To, ".", "--report", "json=" + report, "--markdown"}
		claimbridge(t, "", append(args, flags...)...)
		told = map[string]bool{}
		for line := range strings.Lines(r.read(t, report)) {
			var found struct {
				File  string
				Fixed bool
			}
			must.Do(t, json.Unmarshal([]byte(line), &found))
			if !found.Fixed {
				told[found.File] = true
			}
		}
		return told
	}
	told := convert("--write")
	count := map[string]int{}
	theirs, ours := r.edited(t, "HEAD", people), r.edited(t, "HEAD")
	asJSON := func(text string) string {
		out, _, _ := claimbridge(t, text, "convert", "--to", m.To, "--output=json", "--validate=false")
		return out
	}
	for _, name := range ours {
		switch {
		case !slices.Contains(theirs, name):
			count["more"]++
		case r.git(t, "diff", "--name-only", people, "--", name) == "":
			count["same"]++
		case r.git(t, "ls-tree", people, name) != "" &&
			asJSON(r.git(t, "show", people+":"+name)) == asJSON(r.read(t, name)):
			count["content"]++
		default:
			count["else"]++
		}
	}
	target, _ := release.ParseTarget(m.To) // convert would not know it either
	for _, name := range strings.Fields(r.git(t, "ls-files")) {
		if !isYAML.MatchString(name) {
			continue
		}
		named := hasOld.FindStringSubmatch(r.read(t, name))
		if named != nil && named[1] != target.Version && !told[name] {
			t.Errorf("%s has an object of %s and is neither changed nor reported", name, named[1])
		}
	}
	m.work(t, r, people)
	var exclude []string
	if m.Exclude != "" {
		exclude = []string{"--exclude", m.Exclude}
	}
	convert(append(exclude, "--write")...)
	check := slices.Concat(exclude, []string{"convert", "--to", m.To, "--check", "--markdown", "."})
	if _, said, code := claimbridge(t, "", check...); code != 0 {
		t.Errorf("--check: exit code %d\n%s", code, said)
	}
	return fmt.Sprintf("%s %s\t%s\t%d\t%d\t%d\t%d\t%d\t%d\t%d\n", m.Name, m.Revision, m.To, len(theirs), len(ours),
		count["same"], count["content"], count["else"], count["more"], len(told))
}

// edited files, between commits, or since one.
func (r repository) edited(t *testing.T, commits ...string) []string {
	t.Helper()
	return editable.FindAllString(r.git(t, append([]string{"diff", "--name-only"}, commits...)...), -1)
}

// work that is left.
func (m *byPeople) work(t *testing.T, r repository, people string) {
	t.Helper()
	for name, edits := range m.Work {
		switch {
		case len(edits) == 0:
			r.git(t, "rm", "--quiet", "--force", name)
		case edits[0] == "people":
			r.git(t, "checkout", "--quiet", people, "--", name)
		case len(edits) == 1:
			r.write(t, name, edits[0])
		default:
			r.write(t, name, strings.NewReplacer(edits...).Replace(r.read(t, name)))
		}
	}
}
