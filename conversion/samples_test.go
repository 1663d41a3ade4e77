package conversion

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/claimbridge/claimbridge/api"
)

// What releases wrote, with every field set, is read without an unknown field. It is no valid object, as each text is the name
// of its field: where leftovers would be needed for what it asks or was given, it does not come back.
func TestUpstreamSamplesSurvive(t *testing.T) {
	samples, err := filepath.Glob("../api/testdata/upstream/*.json")
	if err != nil {
		t.Fatal(err)
	}
	older, err := filepath.Glob("../api/testdata/upstream/*/*.json")
	if err != nil || len(older) == 0 {
		t.Fatalf("no samples of older releases: %v", err)
	}
	for _, file := range append(samples, older...) {
		sample, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, to := range Versions() {
			t.Run(filepath.Base(file)+" to "+to, func(t *testing.T) {
				survives(t, sample, to)
			})
		}
	}
}

// What typed clients write is read too, with the members that nobody set.
func TestWhatTypedClientsWriteSurvives(t *testing.T) {
	for _, version := range Versions() {
		data, err := os.ReadFile("../api/testdata/clients/" + version + ".json")
		if err != nil {
			t.Fatal(err)
		}
		var objects map[string]json.RawMessage
		if err := json.Unmarshal(data, &objects); err != nil {
			t.Fatal(err)
		}
		for name, object := range objects {
			for _, to := range Versions() {
				t.Run(version+" "+name+" to "+to, func(t *testing.T) {
					survives(t, object, to)
				})
			}
		}
	}
}

func survives(t *testing.T, object []byte, to string) {
	t.Helper()
	h, err := ReadHeader(object)
	if err != nil {
		t.Fatal(err)
	}
	options := Options{Strict: true}
	there, report, err := JSON(object, to, options)
	if err != nil {
		t.Fatal(err)
	}
	if report.Incomplete != "" || len(report.Lost) > 0 {
		t.Fatalf("incomplete %q, lost %v", report.Incomplete, report.Lost)
	}
	if h.Version != to && (!api.HasDevices(h.Version) || !api.HasDevices(to)) {
		return
	}
	back, _, err := JSON(there, h.Version, options)
	if err != nil {
		t.Fatal(err)
	}
	got, want := string(encode(withoutField(normal(typed(t, back))))), string(encode(normal(typed(t, object))))
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("through %s (-want +got):\n%s", to, diff)
	}
}
