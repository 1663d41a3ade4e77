package cli

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

	"github.com/claimbridge/claimbridge/internal/release"
	"github.com/claimbridge/claimbridge/test/testkit/must"
)

// migrations is a directory with patches that migrate the repositories of other projects.
const migrations = "../../test/repositories/testdata/"

// migration is the migration of a repository by its maintainers: the files before and after it. If Revision is HEAD,
// the repository was not migrated.
type migration struct {
	Name, Revision, To string
	// Exclude is a pattern of files that do not change.
	Exclude string
	// ManualChanges after the conversion, by file: none to remove it, "maintainers" for the version of the maintainers,
	// one text to replace it, or pairs of an old and a new string.
	ManualChanges map[string][]string
}

// TestMigrations converts repositories and compares the result with the migrations by their maintainers, in a table. It
// checks that each manifest with an object of another version is changed or reported, and that --check succeeds after
// the manual changes that errors ask for.
func TestMigrations(t *testing.T) {
	var all []migration
	text, err := os.ReadFile(migrations + "migrations.yaml")
	if err == nil {
		err = yaml.UnmarshalStrict(text, &all)
	}
	if err != nil || len(all) < 25 {
		t.Fatalf("%d migrations: %v", len(all), err)
	}
	table := "repository\tto\tby maintainers\tby claimbridge\tsame text\tsame content\tdifferent\tonly claimbridge\t" +
		"reported\n"
	for _, m := range all {
		t.Run(m.Name+"-"+m.Revision, func(t *testing.T) { table += m.row(t) })
	}
	file := migrations + "migrations.txt"
	if *update && os.WriteFile(file, []byte(table), 0o600) != nil {
		t.Fatalf("cannot write %s", file)
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

// row converts the repository and returns a row of the table.
func (m *migration) row(t *testing.T) string {
	patch, _ := filepath.Abs(migrations + "migrations/" + m.Name + "-" + m.Revision + ".patch")
	r := newRepository(t)
	r.git(t, "am", "--quiet", "--keep-cr", "--empty=keep", patch)
	maintainers := strings.TrimSpace(r.git(t, "rev-parse", "HEAD"))
	if m.Revision != "HEAD" {
		r.git(t, "checkout", "--quiet", "HEAD~1")
	}
	const report = ".git/found.json"
	t.Chdir(string(r))
	convert := func(flags ...string) (reported map[string]bool) {
		args := []string{"convert", "--to", m.To, ".", "--report", "json=" + report, "--markdown"}
		claimbridge(t, "", append(args, flags...)...)
		reported = map[string]bool{}
		for line := range strings.Lines(r.read(t, report)) {
			var found struct {
				File  string
				Fixed bool
			}
			must.Do(t, json.Unmarshal([]byte(line), &found))
			if !found.Fixed && found.File != "" { // the last line has the totals
				reported[found.File] = true
			}
		}
		return reported
	}
	reported := convert("--write")
	count := map[string]int{}
	byMaintainers, byClaimbridge := r.edited(t, "HEAD", maintainers), r.edited(t, "HEAD")
	asJSON := func(text string) string {
		out, _, _ := claimbridge(t, text, "convert", "--to", m.To, "--output=json", "--validate=false")
		return out
	}
	for _, name := range byClaimbridge {
		switch {
		case !slices.Contains(byMaintainers, name):
			count["only claimbridge"]++
		case r.git(t, "diff", "--name-only", maintainers, "--", name) == "":
			count["same text"]++
		case r.git(t, "ls-tree", maintainers, name) != "" &&
			asJSON(r.git(t, "show", maintainers+":"+name)) == asJSON(r.read(t, name)):
			count["same content"]++
		default:
			count["different"]++
		}
	}
	target, _ := release.ParseTarget(m.To) // convert reports an unknown release
	for _, name := range strings.Fields(r.git(t, "ls-files")) {
		if !isYAML.MatchString(name) {
			continue
		}
		match := hasOld.FindStringSubmatch(r.read(t, name))
		if match != nil && match[1] != target.Version && !reported[name] {
			t.Errorf("%s has an object of %s and is neither changed nor reported", name, match[1])
		}
	}
	m.applyManualChanges(t, r, maintainers)
	var exclude []string
	if m.Exclude != "" {
		exclude = []string{"--exclude", m.Exclude}
	}
	convert(append(exclude, "--write")...)
	check := slices.Concat(exclude, []string{"convert", "--to", m.To, "--check", "--markdown", "."})
	if _, messages, code := claimbridge(t, "", check...); code != 0 {
		t.Errorf("--check: exit code %d\n%s", code, messages)
	}
	return fmt.Sprintf("%s %s\t%s\t%d\t%d\t%d\t%d\t%d\t%d\t%d\n", m.Name, m.Revision, m.To, len(byMaintainers),
		len(byClaimbridge), count["same text"], count["same content"], count["different"], count["only claimbridge"],
		len(reported))
}

// edited returns the manifests that differ between two commits, or since one.
func (r repository) edited(t *testing.T, commits ...string) []string {
	t.Helper()
	return editable.FindAllString(r.git(t, append([]string{"diff", "--name-only"}, commits...)...), -1)
}

// applyManualChanges makes the manual changes.
func (m *migration) applyManualChanges(t *testing.T, r repository, maintainers string) {
	t.Helper()
	for name, edits := range m.ManualChanges {
		switch {
		case len(edits) == 0:
			r.git(t, "rm", "--quiet", "--force", name)
		case edits[0] == "maintainers":
			r.git(t, "checkout", "--quiet", maintainers, "--", name)
		case len(edits) == 1:
			r.write(t, name, edits[0])
		default:
			r.write(t, name, strings.NewReplacer(edits...).Replace(r.read(t, name)))
		}
	}
}
