package conversion

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/claimbridge/claimbridge/test/objects"
	"github.com/claimbridge/claimbridge/test/testkit/must"
)

var releaseFlag = flag.String("release", "",
	"write testdata/written/RELEASE: data that the next release writes to clusters and files")

// written is an object before and after the conversion by a release of claimbridge.
type written struct {
	Before json.RawMessage `json:"was"`
	After  json.RawMessage `json:"is"`
	// ForFiles is set if it was converted as on the command line, without claimbridge's fields.
	ForFiles bool `json:"forFiles,omitempty"`
}

// TestReleasesReadWhatEarlierReleasesWrote checks that each release reads the data of earlier releases, which stays in
// clusters and files for years. Each folder of testdata/written has objects that a release converted, for ordered pairs
// of versions. Together they have every kind of entry, field and annotation of claimbridge with every member. They are
// never rewritten. They do not have the preserved data of 0.1.0 in v1alpha1 to v1alpha3 (decision 3).
func TestReleasesReadWhatEarlierReleasesWrote(t *testing.T) {
	if *releaseFlag != "" {
		writeRelease(t, filepath.Join("testdata/written", *releaseFlag))
	}
	files, err := filepath.Glob("testdata/written/*/*.jsonl")
	if err != nil || len(files) < 15 {
		t.Fatalf("%d files of releases: %v", len(files), err)
	}
	for _, file := range files {
		from, to, _ := strings.Cut(strings.TrimSuffix(filepath.Base(file), ".jsonl"), "-")
		t.Run(filepath.Base(filepath.Dir(file))+" "+from+" to "+to, func(t *testing.T) {
			text := must.Get(os.ReadFile(file))(t)
			lines := 0
			for line := range bytes.Lines(text) {
				lines++
				var w written
				must.Do(t, json.Unmarshal(line, &w))
				w.checkReadable(t, fmt.Sprintf("line %d", lines), from)
			}
			if lines == 0 {
				t.Error("the file has no object")
			}
		})
	}
}

// checkReadable converts written objects back, directly and through the stored version.
func (w written) checkReadable(t *testing.T, line, from string) {
	t.Helper()
	c := &propertyCase{T: t, from: from, options: Options{Strict: true, Manifest: w.ForFiles}}
	for _, through := range []string{"", Stored()} {
		object := []byte(w.After)
		if through != "" {
			object = c.convert(object, through)
		}
		back, report, err := ConvertJSON(object, from, c.options)
		if err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		if len(report.Ignored)+len(report.Stale)+len(report.Unknown)+len(report.Lost) > 0 {
			t.Errorf("%s: data was not restored: %+v", line, report)
		}
		want := []byte(w.Before)
		if from != Stored() && !w.ForFiles { // a claim that was converted from v1 has the field
			back, want = c.withoutPreservedField(back), c.withoutPreservedField(want)
		}
		c.equal(line+": the round trip changed the object", back, want)
	}
	if findings, err := inspect(w.After); err != nil || len(findings) > 0 {
		t.Errorf("%s: %v %+v", line, err, findings)
	}
}

// writeRelease writes the files of a new release.
func writeRelease(t *testing.T, folder string) {
	t.Helper()
	if err := os.Mkdir(folder, 0o755); err != nil {
		t.Fatalf("the data of a release is never rewritten: %v", err)
	}
	for _, from := range Versions() {
		for _, to := range Versions() {
			if from == to {
				continue
			}
			var file bytes.Buffer
			for _, w := range selectObjects(t, from, to) {
				encoder := json.NewEncoder(&file)
				encoder.SetEscapeHTML(false) // it would differ from the written text
				must.Do(t, encoder.Encode(w))
			}
			must.Do(t, os.WriteFile(filepath.Join(folder, from+"-"+to+".jsonl"), file.Bytes(), 0o644))
		}
	}
}

// selectObjects returns few small objects of both kinds that together have all members of preserved data that 3,000
// objects have.
func selectObjects(t *testing.T, from, to string) (all []written) {
	t.Helper()
	source, members := objects.New(1), map[*written][]string{}
	var candidates []*written
	for i := range 3000 {
		kind := objects.Kinds[i%len(objects.Kinds)]
		w := &written{ForFiles: i%4 > 1}
		object := withDefaults(source.Object(from, kind))
		if w.ForFiles {
			removeDeallocationRequest(object)
		}
		w.Before = encode(object)
		converted, report, err := ConvertJSON(w.Before, to, Options{Strict: true, Manifest: w.ForFiles})
		if err != nil || report.Incomplete != "" || len(report.Lost) > 0 {
			continue
		}
		w.After = converted
		members[w] = append(membersOfClaimbridge(t, w.After), fmt.Sprint(kind, w.ForFiles))
		candidates = append(candidates, w)
	}
	slices.SortStableFunc(candidates, func(a, b *written) int {
		return len(a.Before) + len(a.After) - len(b.Before) - len(b.After)
	})
	has := map[string]bool{}
	for _, w := range candidates {
		if slices.ContainsFunc(members[w], func(m string) bool { return !has[m] }) {
			all = append(all, *w)
		}
		for _, m := range members[w] {
			has[m] = true
		}
	}
	return all
}

// letters of field names.
const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"

// membersOfClaimbridge returns the paths in all data that claimbridge adds to an object: annotations, fields and
// entries.
func membersOfClaimbridge(t *testing.T, object []byte) (members []string) {
	t.Helper()
	var walk func(path string, v any, ours bool)
	walk = func(path string, v any, ours bool) {
		if ours {
			members = append(members, path)
		}
		switch v := v.(type) {
		case map[string]any:
			if v["apiVersion"] == "claimbridge.dev/v1" {
				path, ours = "entry "+v["kind"].(string), true
			}
			for name, member := range v {
				begins := strings.HasPrefix(name, "claimbridge")
				switch {
				case name == "parameters" && ours:
					continue // a driver's
				case !begins && strings.Trim(name, letters) != "":
					name = "*" // a key that a user chose
				}
				walk(path+"."+name, member, ours || begins)
			}
		case []any:
			for _, item := range v {
				walk(path+"[]", item, ours)
			}
		case string:
			var inner any
			if ours && strings.HasPrefix(v, "{") && json.Unmarshal([]byte(v), &inner) == nil {
				walk(path, inner, true)
			}
		}
	}
	var o any
	must.Do(t, json.Unmarshal(object, &o))
	walk("", o, false)
	slices.Sort(members)
	return slices.Compact(members)
}
