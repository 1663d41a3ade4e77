package cli

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

// claimbridge runs a command line in this process.
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

// corpus is a directory with published manifests of every version.
const corpus = "../../internal/conversion/testdata/corpus"

// corpusFaults are the invalid objects of the corpus, by file. Upstream published them with a new apiVersion (v1alpha3
// or v1) and the fields of the previous version.
var corpusFaults = map[string][]string{
	"kubernetes_kubernetes-v1alpha3.yaml": {
		"ResourceClaim external-claim", "ResourceClaim shared-claim",
		"ResourceClaimTemplate default/pause-template", "ResourceClaimTemplate default/test-inline-claim-template",
	},
	"kubernetes_kubernetes-v1.yaml": {"ResourceClaimTemplate another-test-claim-template"},
}

// TestCorpusRoundTrips converts published manifests to each version and back, in YAML and in JSON. The result equals
// the original: no field is lost, and no default is added.
func TestCorpusRoundTrips(t *testing.T) {
	for _, from := range conversion.Versions() {
		files, err := filepath.Glob(corpus + "/*-" + from + ".yaml")
		if err != nil || len(files) == 0 {
			t.Fatalf("no corpus for %s: %v", from, err)
		}
		for _, file := range files {
			for _, to := range conversion.Versions() {
				for _, format := range []string{"yaml", "json"} {
					t.Run(filepath.Base(file)+" to "+to+" in "+format, func(t *testing.T) {
						roundTrip(t, file, from, to, format)
					})
				}
			}
		}
	}
}

func roundTrip(t *testing.T, file, from, to, format string) {
	faults := corpusFaults[filepath.Base(file)]
	wantCode := 0
	if len(faults) > 0 {
		wantCode = exitFailed
	}
	original, messages, code := claimbridge(t, "", "convert", "--to", from, "-o", "json", "-f", file)
	if code != wantCode {
		t.Fatalf("exit code %d, want %d: %s", code, wantCode, messages)
	}
	for _, fault := range faults {
		if !strings.Contains(messages, fault+": ") {
			t.Errorf("%s is not reported in %s", fault, messages)
		}
	}
	converted, messages, code := claimbridge(t, "", "convert", "--to", to, "-o", format, "-f", file)
	if code != wantCode {
		t.Fatalf("to %s: exit code %d, want %d: %s", to, code, wantCode, messages)
	}
	restored, messages, code := claimbridge(t, converted, "convert", "--to", from, "-o", "json")
	if code != 0 || !strings.HasSuffix(messages, " of other kinds, 0 failed, 0 warnings\n") ||
		strings.Count(messages, "\n") != 1 {
		t.Fatalf("from %s: exit code %d: %s", to, code, messages)
	}
	if strings.Count(original, "\n") < 2 {
		t.Fatalf("%s has fewer than two objects", file)
	}
	checkObjects(t, from, to, original, restored)
}

// checkObjects compares objects with the result of their round trip through a version. If the version was never left,
// the text must be equal. Defaults are ignored in claims if only one of the versions has a field for them.
func checkObjects(t *testing.T, from, through, original, restored string) {
	t.Helper()
	originals := lines(original)
	results := lines(restored)
	if len(originals) != len(results) {
		t.Fatalf("through %s: %d objects of %d", through, len(results), len(originals))
	}
	for i, want := range originals {
		got := results[i]
		h, err := conversion.ReadHeader([]byte(want))
		isClaim := err == nil && h.Group == api.Group && strings.HasPrefix(h.Kind, api.KindClaim)
		if isClaim && api.HasDevices(from) != api.HasDevices(through) {
			want, got = withoutDefaults(t, want), withoutDefaults(t, got)
		}
		if want != got && (!isClaim || from == through || !conversion.Equal([]byte(want), []byte(got))) {
			t.Errorf("through %s: %s", through, cmp.Diff(want, got))
		}
	}
}

func lines(text string) []string { return strings.Split(strings.TrimSuffix(text, "\n"), "\n") }

// withoutDefaults returns an object without fields that are set to their default. A version that does not have such a
// field does not preserve it.
func withoutDefaults(t *testing.T, object string) string {
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
		if exactly, isNested := request["exactly"].(map[string]any); isNested {
			request = exactly
		}
		unset(request, "allocationMode", "ExactCount")
		unset(request, "count", json.Number("1"))
	}
	out := must.Get(json.Marshal(o))(t)
	return string(out)
}

// TestCorpusDirectoryRoundTrips converts the whole directory, with lists and templates, to each version and back to v1.
func TestCorpusDirectoryRoundTrips(t *testing.T) {
	original, messages, code := claimbridge(t, "", "convert", "--to", "v1", "-f", corpus, "-o", "json")
	if code != exitFailed { // invalid objects are left out
		t.Fatalf("exit code %d: %s", code, messages)
	}
	if !strings.Contains(original, "test-claim-{{.Index}}") {
		t.Error("the template with a placeholder is missing")
	}
	for _, version := range conversion.Versions() {
		converted, messages, code := claimbridge(t, original, "convert", "--to", version)
		if code != 0 {
			t.Fatalf("to %s: exit code %d: %s", version, code, messages)
		}
		restored, messages, code := claimbridge(t, converted, "convert", "--to", "v1", "-o", "json")
		if code != 0 {
			t.Fatalf("from %s: exit code %d: %s", version, code, messages)
		}
		checkObjects(t, "v1", version, original, restored)
	}
}

// TestCorpusIsValidOnTargetRelease checks that the rules of a release accept the corpus after a conversion to it,
// except for the objects in corpusFaults.
func TestCorpusIsValidOnTargetRelease(t *testing.T) {
	files, err := filepath.Glob(corpus + "/*.yaml")
	if err != nil || len(files) < 8 {
		t.Fatalf("no corpus: %v", err)
	}
	for _, release := range []string{"1.34", "1.36", "1.37"} { // not 1.35, which rejects distinctAttribute
		for _, file := range files {
			t.Run(filepath.Base(file)+" for "+release, func(t *testing.T) {
				faults := corpusFaults[filepath.Base(file)]
				_, messages, code := claimbridge(t, "", "convert", "--to", release, "-f", file)
				if code != 0 && len(faults) == 0 {
					t.Fatalf("exit code %d: %s", code, messages)
				}
				for line := range strings.Lines(messages) {
					if strings.Contains(line, " would reject ") {
						t.Error(line)
					}
				}
			})
		}
	}
}
