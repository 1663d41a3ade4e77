package conversion

import (
	"bytes"
	stdcmp "cmp"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/claimbridge/claimbridge/api"
	"github.com/claimbridge/claimbridge/test/objects"
	"github.com/claimbridge/claimbridge/test/testkit/must"
)

var metav1Now = metav1.NewTime(time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC))

const classicEntry = `{"opaque":{"driver":"claimbridge.dev","parameters":{"allocationMode":"Immediate",` +
	`"apiVersion":"claimbridge.dev/v1","kind":"ClassicClaimSpec"}}}`

func TestInspect(t *testing.T) {
	for name, test := range objects.Cases[struct {
		Version, Kind string
		Object        objects.JSON
		Found         []string
	}](t, "testdata/cases/inspect.yaml") {
		t.Run(name, func(t *testing.T) {
			object := []byte(test.Object)
			if test.Version != "" {
				object = objectOf(test.Version, stdcmp.Or(test.Kind, api.KindClaim), anObject, test.Object)
			}
			findings := must.Get(inspect(object))(t)
			var got []string
			for _, f := range findings {
				got = append(got, f.Field)
				if f.Problem == "" {
					t.Errorf("%s: no problem is named", f.Field)
				}
			}
			if diff := cmp.Diff(test.Found, got); diff != "" {
				t.Errorf("(-want +got):\n%s\n%v", diff, findings)
			}
		})
	}
}

// inspect returns the findings of an object. The error is that of an object that cannot be read.
func inspect(object []byte) ([]Finding, error) {
	_, report, err := ConvertJSON(object, Stored(), Options{Inspect: true})
	if errors.Is(err, ErrIncomplete) {
		err = nil
	}
	return report.Findings, err
}

// validCopiesPass checks that copies have no findings, except if parameters of a v1alpha2 driver look like entries of
// claimbridge.
func validCopiesPass(c *propertyCase) {
	findings, err := inspect(c.output)
	if err != nil {
		c.Fatal(err)
	}
	if c.report.Incomplete == "" && len(findings) > 0 && !bytes.Contains(c.object, []byte(`"kind":"ResourceHandle"`)) {
		c.Errorf("in an honest copy it finds %v", findings)
	}
}

func TestInspectReadsWhatCanBeRead(t *testing.T) {
	for name, object := range map[string]string{
		"no JSON":         `{`,
		"another kind":    `{"apiVersion":"resource.k8s.io/v1alpha2","kind":"Pod","metadata":{"name":"a"}}`,
		"another version": `{"apiVersion":"resource.k8s.io/v9","kind":"ResourceClaim","metadata":{"name":"a"}}`,
		"a spec that is not an object": `{"apiVersion":"resource.k8s.io/v1alpha2","kind":"ResourceClaim",` +
			`"metadata":{"name":"a"},"spec":1}`,
		"a template's annotation": `{"apiVersion":"resource.k8s.io/v1alpha2","kind":"ResourceClaimTemplate",` +
			`"metadata":{"name":"a"},"spec":{"metadata":{"annotations":{"a":1}},"spec":{}}}`,
	} {
		var rich *Error
		if _, err := inspect([]byte(object)); !errors.As(err, &rich) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// A conversion to v1 removes and reports a preserving annotation. Other annotations are unchanged.
func TestConversionRemovesOnlyPreservingAnnotations(t *testing.T) {
	object := `{"apiVersion":"resource.k8s.io/v1beta1","kind":"ResourceClaim","metadata":{"name":"a",` +
		`"annotations":{"claimbridge.dev/v1-spec":"{}","claimbridge.dev/note":"mine","example.com/v1-spec":"c"}},` +
		`"spec":{}}`
	up, report := converted(t, []byte(object), Stored(), Options{})
	want := map[string]string{"claimbridge.dev/note": "mine", "example.com/v1-spec": "c"}
	if diff := cmp.Diff(want, metaOf(decodeTyped(t, up)).Annotations); diff != "" || len(report.Ignored) != 1 {
		t.Errorf("ignored %q, annotations (-want +got):\n%s", report.Ignored, diff)
	}
}

// Options.Inspect does not change the result, the report and the error of a conversion.
func TestInspectingChangesNoConversion(t *testing.T) {
	s := objects.New(objects.Seed(t))
	tried := map[string]int{}
	spoils := [][2]string{
		{
			`claimbridge.dev/v1-spec":"{`, `claimbridge.dev/v1-spec":"{x`,
		},
		{`"claimbridgeLeftover":"v1:`, `"claimbridgeLeftover":"v1:0`},
		{`"labels":{`, `"labels":{"claimbridge.dev/incomplete":"both",`},
		{},
	}
	const most = 10_000 // one in some 25 is rejected
	for i := 0; i < count(t) || i < most && len(tried) < 4; i++ {
		n := len(versions)
		copied, _ := converted(t, encode(s.Object(versions[i%n], objects.Kinds[i/(n*n)%2])), versions[i/n%n], Options{})
		if spoil := spoils[i%4]; spoil[0] != "" {
			copied = bytes.Replace(copied, []byte(spoil[0]), []byte(spoil[1]), 1)
		}
		want, wantReport, wantErr := ConvertJSON(copied, Stored(), Options{})
		got, report, err := ConvertJSON(copied, Stored(), Options{Inspect: true})
		tried[fmt.Sprint("rejected ", err != nil)]++
		tried[fmt.Sprint("found ", len(report.Findings) > 0)]++
		report.Findings = nil
		diff := cmp.Diff(wantReport, report)
		if diff != "" && err == nil || fmt.Sprint(err) != fmt.Sprint(wantErr) || !bytes.Equal(got, want) {
			t.Fatalf("%v, not %v:\n%s\n%s\nreport (-without +with):\n%s", err, wantErr, clip(got), clip(want), diff)
		}
	}
	if len(tried) != 4 {
		t.Errorf("only %v", tried)
	}
}

// A restored status can have entries that the conversion did not write.
func TestMalformedEntriesInRestoredStatusAreFound(t *testing.T) {
	stored := `{"apiVersion":"resource.k8s.io/v1","kind":"ResourceClaim","metadata":{"name":"a","uid":"u"},` +
		`"spec":{"devices":{}},"status":{"allocation":{"devices":{"results":[],"config":[{"source":"FromClass",` +
		`"opaque":{"driver":"claimbridge.dev","parameters":` +
		`{"apiVersion":"claimbridge.dev/v1","kind":"ResourceHandle","unknown":1}}}]}}}}`
	for _, version := range []string{"v1alpha1", "v1alpha2"} {
		copied, _ := converted(t, []byte(stored), version, Options{})
		findings, err := inspect(copied)
		if err != nil {
			t.Fatal(err)
		}
		const want = "status.allocation.devices.config[0].opaque.parameters"
		if len(findings) != 1 || findings[0].Field != want {
			t.Errorf("%s: got findings %v, want one for %s", version, findings, want)
		}
	}
}
