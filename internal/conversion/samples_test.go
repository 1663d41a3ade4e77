package conversion

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/claimbridge/claimbridge/api"
	"github.com/claimbridge/claimbridge/test/testkit/must"
)

// Samples of releases with every field, and of typed clients with fields that no user set, are decoded without unknown
// fields. They are not valid objects, because each text is the name of its field. Only handles that v1alpha2 does not
// accept are lost, and they are reported.
func TestUpstreamSamplesSurvive(t *testing.T) {
	samples := map[string]json.RawMessage{}
	for _, pattern := range []string{"upstream/*.json", "upstream/*/*.json", "clients/*.json"} {
		files, err := filepath.Glob("../../api/testdata/" + pattern)
		if err != nil || len(files) == 0 {
			t.Fatalf("no samples are called %s: %v", pattern, err)
		}
		for _, file := range files {
			data, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			all := map[string]json.RawMessage{"": data}
			if strings.HasPrefix(pattern, "clients") { // has several
				delete(all, "")
				err = json.Unmarshal(data, &all)
			}
			if err != nil {
				t.Fatal(err)
			}
			for name, object := range all {
				samples[file+" "+name] = object
			}
		}
	}
	for name, sample := range samples {
		for _, to := range Versions() {
			t.Run(name+" to "+to, func(t *testing.T) {
				checkRoundTrip(t, sample, to)
			})
		}
	}
}

func checkRoundTrip(t *testing.T, object []byte, to string) {
	t.Helper()
	h := must.Get(ReadHeader(object))(t)
	options := Options{Strict: true}
	output, report := must.Get2(ConvertJSON(object, to, options))(t)
	lost := slices.DeleteFunc(slices.Clone(report.Lost), func(field string) bool {
		return h.Version == "v1alpha2" && strings.HasPrefix(field, "status.allocation.resourceHandles[")
	})
	if report.Incomplete != "" || len(lost) > 0 {
		t.Fatalf("incomplete %q, lost %v", report.Incomplete, lost)
	}
	if h.Version != to && (!api.HasDevices(h.Version) || !api.HasDevices(to)) {
		return
	}
	back, _ := must.Get2(ConvertJSON(output, h.Version, options))(t)
	restored := withDefaults(decodeTyped(t, back))
	removePreservedField(restored)
	want := withDefaults(decodeTyped(t, object))
	if diff := cmp.Diff(string(encode(want)), string(encode(restored))); diff != "" {
		t.Errorf("through %s (-want +got):\n%s", to, diff)
	}
}
