package convert

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/files"
	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/finding"
	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/problems"
	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/release"
	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/report"
	"github.com/claimbridge/claimbridge/conversion"
	"github.com/claimbridge/claimbridge/test/testkit/must"
)

func TestWhatIsComparedIsBoundedAndSaysSo(t *testing.T) {
	var all compared
	for part := range 3 {
		var c compared
		for i := range maxCompared / 2 {
			h := conversion.Header{Kind: newClass, Name: fmt.Sprintf("c-%d-%d", part, i)}
			c.add(objects, one{Header: h})
		}
		all.take(&c)
	}
	var said bytes.Buffer
	log := problems.Log{W: &said}
	all.advise(release.Target{Version: "v1"}, &log)
	want := "warning: there are more than 10000 claims, classes and kustomizations in files, 5000 of them were not compared (too-many-to-compare)\n"
	if said.String() != want {
		t.Errorf("%q, want %q", said.String(), want)
	}
}

func TestTextsThatAreNotSearchedAreTold(t *testing.T) {
	folder := t.TempDir()
	file := func(name string, text []byte) string {
		path := filepath.Join(folder, name)
		must.Do(t, os.WriteFile(path, text, 0o600))
		return path
	}
	mention := []byte("é resource.k8s.io/v1beta1\n")
	for name, test := range map[string]struct{ path, rule, said string }{
		"a text":                   {file("a.md", mention), "text-mention", "a.md: line 1: warning: names v1beta1 of resource.k8s.io"},
		"what is no text":          {file("a.bin", append([]byte{0}, mention...)), "", ""},
		"an empty one":             {file("empty", nil), "", ""},
		"one that is too big":      {file("big", bytes.Repeat([]byte("resource\n"), maxText/9+2)), "text-not-searched", "big: warning: is bigger than 16 MiB, and was not searched"},
		"one that nobody can read": {filepath.Join(folder, "gone"), "text-not-searched", "gone: warning: "},
	} {
		var said bytes.Buffer
		var found []finding.Finding
		p := &part{converter: &converter{to: "v1", Options: Options{Also: true}}}
		p.log = problems.Log{W: &said, Reports: report.Collect(func(f finding.Finding) { found = append(found, f) })}
		p.textMentions(files.At(test.path))
		if test.rule == "" {
			if len(found) > 0 {
				t.Errorf("%s: %+v", name, found)
			}
			continue
		}
		if len(found) != 1 || found[0].Rule != test.rule || found[0].File != test.path || !strings.Contains(said.String(), test.said) {
			t.Errorf("%s: %+v, %s", name, found, said.String())
		}
		if test.rule == "text-mention" && (found[0].Line != 1 || found[0].Column != 3) {
			t.Errorf("%s: at %d:%d", name, found[0].Line, found[0].Column)
		}
	}
}
