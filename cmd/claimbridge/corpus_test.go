package main

import (
	"bytes"
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/claimbridge/claimbridge/api"
	"github.com/claimbridge/claimbridge/internal/conversion"
	"github.com/claimbridge/claimbridge/test/testkit/must"
)

// claimbridge runs the command line in this process.
func claimbridge(t *testing.T, stdin string, args ...string) (stdout, stderr string, code int) {
	t.Helper()
	var out, errs bytes.Buffer
	root := newRootCommand()
	root.SetArgs(args)
	root.SetIn(strings.NewReader(stdin))
	root.SetOut(&out)
	root.SetErr(&errs)
	code = run(root)
	return out.String(), errs.String(), code
}

// Published manifests, in every version.
const corpus = "../../internal/conversion/testdata/corpus"

// corpusFaults are the objects of the corpus that are faulty as they were published: upstream moved
// them to v1alpha3, and one to v1, without moving their fields.
var corpusFaults = map[string][]string{
	"kubernetes_kubernetes-v1alpha3.yaml": {
		"ResourceClaim external-claim", "ResourceClaim shared-claim",
		"ResourceClaimTemplate default/pause-template", "ResourceClaimTemplate default/test-inline-claim-template",
	},
	"kubernetes_kubernetes-v1.yaml": {"ResourceClaimTemplate another-test-claim-template"},
}

// Real manifests go through all versions and come back as they were written, without defaults that
// nobody wrote; YAML and JSON give the same.
func TestTheCorpusComesBackAsItWas(t *testing.T) {
	for _, from := range conversion.Versions() {
		files, err := filepath.Glob(corpus + "/*-" + from + ".yaml")
		if err != nil || len(files) == 0 {
			t.Fatalf("no corpus for %s: %v", from, err)
		}
		for _, file := range files {
			for _, to := range conversion.Versions() {
				for _, format := range []string{"yaml", "json"} {
					t.Run(filepath.Base(file)+" to "+to+" in "+format, func(t *testing.T) {
						thereAndBack(t, file, from, to, format)
					})
				}
			}
		}
	}
}

func thereAndBack(t *testing.T, file, from, to, format string) {
	faults := corpusFaults[filepath.Base(file)]
	wantCode := 0
	if len(faults) > 0 {
		wantCode = exitFailed
	}
	was, told, code := claimbridge(t, "", "convert", "--to", from, "-o", "json", "-f", file)
	if code != wantCode {
		t.Fatalf("exit code %d, want %d: %s", code, wantCode, told)
	}
	for _, fault := range faults {
		if !strings.Contains(told, fault+": ") {
			t.Errorf("%s is not told in %s", fault, told)
		}
	}
	there, told, code := claimbridge(t, "", "convert", "--to", to, "-o", format, "-f", file)
	if code != wantCode {
		t.Fatalf("there: exit code %d, want %d: %s", code, wantCode, told)
	}
	back, told, code := claimbridge(t, there, "convert", "--to", from, "-o", "json")
	if code != 0 || !strings.HasSuffix(told, " of other kinds, 0 failed, 0 warnings\n") ||
		strings.Count(told, "\n") != 1 {
		t.Fatalf("back: exit code %d: %s", code, told)
	}
	if strings.Count(was, "\n") < 2 {
		t.Fatalf("%s has next to nothing in it", file)
	}
	sameObjects(t, from, to, was, back)
}

// sameObjects came back from a version. As they were written, where none was gone to; claims
// without what one of the versions spells out.
func sameObjects(t *testing.T, from, through, want, got string) {
	t.Helper()
	wants, gots := lines(want), lines(got)
	if len(wants) != len(gots) {
		t.Fatalf("through %s: %d objects of %d", through, len(gots), len(wants))
	}
	for i := range wants {
		was, is := wants[i], gots[i]
		h, err := conversion.ReadHeader([]byte(was))
		claim := err == nil && h.Group == api.Group && strings.HasPrefix(h.Kind, api.KindClaim)
		if claim && api.HasDevices(from) != api.HasDevices(through) {
			was, is = undefaulted(t, was), undefaulted(t, is)
		}
		if was != is && (!claim || from == through || !conversion.Equal([]byte(was), []byte(is))) {
			t.Errorf("through %s: %s", through, cmp.Diff(was, is))
		}
	}
}

func lines(text string) []string { return strings.Split(strings.TrimSuffix(text, "\n"), "\n") }

// undefaulted is an object without defaults that it spells out: where the other version has no
// field for them, they do not come back.
func undefaulted(t *testing.T, object string) string {
	t.Helper()
	var o map[string]any
	decoder := json.NewDecoder(strings.NewReader(object))
	decoder.UseNumber()
	must.Do(t, decoder.Decode(&o))
	spec, _ := o["spec"].(map[string]any)
	if o["kind"] == api.KindTemplate {
		spec, _ = spec["spec"].(map[string]any)
	}
	unset := func(in map[string]any, key string, value any) {
		if in[key] == value {
			delete(in, key)
		}
	}
	unset(spec, "allocationMode", "WaitForFirstConsumer")
	devices, _ := spec["devices"].(map[string]any)
	requests, _ := devices["requests"].([]any)
	for _, r := range requests {
		request := r.(map[string]any)
		if exactly, nested := request["exactly"].(map[string]any); nested {
			request = exactly
		}
		unset(request, "allocationMode", "ExactCount")
		unset(request, "count", json.Number("1"))
	}
	out := must.Get(json.Marshal(o))(t)
	return string(out)
}

// Folders, lists and templates with placeholders: whole folders at once, relaxed, up and down.
func TestWholeFoldersAtOnce(t *testing.T) {
	up, told, code := claimbridge(t, "", "convert", "--to", "v1", "-f", corpus, "-o", "json")
	if code != exitFailed { // the faulty ones are left out
		t.Fatalf("exit code %d: %s", code, told)
	}
	if !strings.Contains(up, "test-claim-{{.Index}}") {
		t.Error("the template with a placeholder is missing")
	}
	for _, version := range conversion.Versions() {
		there, told, code := claimbridge(t, up, "convert", "--to", version)
		if code != 0 {
			t.Fatalf("to %s: exit code %d: %s", version, code, told)
		}
		back, told, code := claimbridge(t, there, "convert", "--to", "v1", "-o", "json")
		if code != 0 {
			t.Fatalf("from %s: exit code %d: %s", version, code, told)
		}
		sameObjects(t, "v1", version, up, back)
	}
}

// What is converted for a release is valid there, and comes back: manifests of all versions, but
// for those that were published with fields that their version does not have.
func TestTheCorpusIsValidOnTheReleaseItIsConvertedFor(t *testing.T) {
	files, err := filepath.Glob(corpus + "/*.yaml")
	if err != nil || len(files) < 8 {
		t.Fatalf("no corpus: %v", err)
	}
	for _, release := range []string{"1.34", "1.36", "1.37"} { // 1.35 takes no distinctAttribute, which some have
		for _, file := range files {
			t.Run(filepath.Base(file)+" for "+release, func(t *testing.T) {
				faults := corpusFaults[filepath.Base(file)]
				_, told, code := claimbridge(t, "", "convert", "--to", release, "-f", file)
				if code != 0 && len(faults) == 0 {
					t.Fatalf("exit code %d: %s", code, told)
				}
				for line := range strings.Lines(told) {
					if strings.Contains(line, " would reject ") {
						t.Error(line)
					}
				}
			})
		}
	}
}
