package conversion

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/claimbridge/claimbridge/test/objects"
)

var metav1Now = metav1.NewTime(time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC))

const (
	handleEntry  = `{"opaque":{"driver":"claimbridge.dev","parameters":{"apiVersion":"claimbridge.dev/v1","data":"x","device":"handle-0","driver":"d","kind":"ResourceHandle"}}}`
	classicEntry = `{"opaque":{"driver":"claimbridge.dev","parameters":{"allocationMode":"Immediate","apiVersion":"claimbridge.dev/v1","kind":"ClassicClaimSpec"}}}`
)

func TestInspect(t *testing.T) {
	claim := func(version, meta, rest string) string {
		return fmt.Sprintf(`{"apiVersion":"resource.k8s.io/%s","kind":"ResourceClaim","metadata":{"name":"a"%s}%s}`, version, meta, rest)
	}
	specConfig := func(entries ...string) string {
		return claim("v1alpha3", "", `,"spec":{"devices":{"requests":[{"name":"r","deviceClassName":"c"}],"config":[`+strings.Join(entries, ",")+`]}}`)
	}
	statusConfig := func(entries ...string) string {
		return claim("v1alpha3", "", `,"spec":{"devices":{"requests":[{"name":"r","deviceClassName":"c"}]}},"status":{"allocation":{"devices":{"config":[`+strings.Join(entries, ",")+`]}}}`)
	}
	ofKind := func(kind string) string { return strings.Replace(classicEntry, "ClassicClaimSpec", kind, 1) }
	atV1beta1 := func(object string) string { return strings.Replace(object, "v1alpha3", "v1beta1", 1) }
	from := func(source, entry string) string { return `{"source":"` + source + `",` + entry[1:] }
	tests := map[string]struct {
		object string
		want   []string // fields
	}{
		"nothing of ours":             {claim(Stored(), `,"annotations":{"example.com/a":"b","example.com/v1-spec":"c","claimbridge.dev/note":"mine"}`, ""), nil},
		"a part alone":                {specConfig(ofKind("Part")), []string{"spec.devices.config[0].opaque.parameters"}},
		"a controller that allocated": {specConfig(ofKind("ControlPlaneAllocation")), []string{"spec.devices.config[0].opaque.parameters"}},
		"one that names nobody":       {atV1beta1(specConfig(ofKind("ControlPlaneClaim"))), []string{"spec.devices.config[0].opaque.parameters"}},
		"nor in a status": {atV1beta1(statusConfig(from("FromClass", ofKind("ControlPlaneAllocation")))),
			[]string{"status.allocation.devices.config[0].opaque.parameters"}},
		"an annotation at the newest version": {
			claim(Stored(), `,"annotations":{"claimbridge.dev/v1-spec":"{}"}`, ""),
			[]string{"metadata.annotations[claimbridge.dev/v1-spec]"},
		},
		"at a version that says all": {claim("v1beta1", `,"annotations":{"claimbridge.dev/v1-status":"{}"}`, ""), []string{"metadata.annotations[claimbridge.dev/v1-status]"}},
		"one that is escaped":        {claim(Stored(), `,"annotations":{"claimbridge\u002edev/v1-spec":"{}"}`, ""), []string{"metadata.annotations[claimbridge.dev/v1-spec]"}},
		"the label of a copy at the newest version": {
			claim(Stored(), `,"labels":{"claimbridge.dev/incomplete":"spec"}`, ""),
			[]string{"metadata.labels[claimbridge.dev/incomplete]"},
		},
		"an annotation that is not JSON": {
			claim("v1alpha2", `,"annotations":{"claimbridge.dev/v1-spec":"{"}`, `,"spec":{"resourceClassName":"c"}`),
			[]string{"metadata.annotations[claimbridge.dev/v1-spec]"},
		},
		"an annotation with an unknown member": {
			claim("v1alpha2", `,"annotations":{"claimbridge.dev/v1-spec":"{\"more\":1}"}`, `,"spec":{"resourceClassName":"c"}`),
			[]string{"metadata.annotations[claimbridge.dev/v1-spec]"},
		},
		"one of another spec": {
			claim("v1alpha2", `,"annotations":{"claimbridge.dev/v1-spec":"{\"devices\":{}}"}`, `,"spec":{"resourceClassName":"c"}`),
			[]string{"metadata.annotations[claimbridge.dev/v1-spec]"},
		},
		"a status of another claim is stale": {
			claim("v1alpha2", `,"annotations":{"claimbridge.dev/v1-status":"{\"uid\":\"other\",\"status\":{}}"}`,
				`,"spec":{"resourceClassName":"c"},"status":{"driverName":"d","allocation":{}}`), nil,
		},
		"a field that is not JSON": {
			claim("v1alpha1", "", `,"spec":{"resourceClassName":"c"},"status":{"driverName":"d","allocation":{},"claimbridgeLeftover":"x"}`),
			[]string{"status.claimbridgeLeftover"},
		},
		"a spec entry in its place":          {specConfig(classicEntry), nil},
		"a spec entry twice":                 {specConfig(classicEntry, classicEntry), []string{"spec.devices.config[1].opaque.parameters"}},
		"a spec entry of another driver":     {specConfig(strings.Replace(classicEntry, `"driver":"claimbridge.dev"`, `"driver":"d"`, 1)), []string{"spec.devices.config[0].opaque.parameters"}},
		"a spec entry that says the default": {specConfig(strings.Replace(classicEntry, "Immediate", "WaitForFirstConsumer", 1)), []string{"spec.devices.config[0].opaque.parameters"}},
		"a handle in a spec":                 {specConfig(handleEntry), []string{"spec.devices.config[0].opaque.parameters"}},
		"a handle in its place":              {statusConfig(from("FromClass", handleEntry)), nil},
		"a handle under a driver's name": {statusConfig(from("FromClass", strings.Replace(handleEntry, `"driver":"claimbridge.dev"`, `"driver":"d"`, 1))),
			[]string{"status.allocation.devices.config[0].opaque.parameters"}},
		"a handle in a spec, in escapes": {specConfig(strings.Replace(handleEntry, `"apiVersion":"claimbridge`, `"apiVersion":"\u0063laimbridge`, 1)),
			[]string{"spec.devices.config[0].opaque.parameters"}},
		"a handle that a claim brought": {statusConfig(from("FromClaim", handleEntry)), []string{"status.allocation.devices.config[0].opaque.parameters"}},
		"the allocator's copy of a spec entry": {
			statusConfig(from("FromClaim", classicEntry)), nil,
		},
		"a spec entry as the class's": {
			statusConfig(from("FromClass", classicEntry)), []string{"status.allocation.devices.config[0].opaque.parameters"},
		},
		"an allocation entry with an unknown member": {
			statusConfig(`{"source":"FromClass","opaque":{"driver":"claimbridge.dev","parameters":{"apiVersion":"claimbridge.dev/v1","kind":"ClassicAllocation","digest":"","more":1}}}`),
			[]string{"status.allocation.devices.config[0].opaque.parameters"},
		},
		"an allocation entry that a claim brought": {
			statusConfig(`{"source":"FromClaim","opaque":{"driver":"claimbridge.dev","parameters":{"apiVersion":"claimbridge.dev/v1","kind":"ClassicAllocation","digest":""}}}`),
			[]string{"status.allocation.devices.config[0].opaque.parameters"},
		},
		"a status without an allocation": {claim("v1alpha3", "", `,"status":{"reservedFor":[]}`), nil},
		"a template's key that is malformed": {
			`{"apiVersion":"resource.k8s.io/v1alpha2","kind":"ResourceClaimTemplate","metadata":{"name":"a"},"spec":{"metadata":{"annotations":{"claimbridge.dev/v1-spec":"{"}},"spec":{"resourceClassName":"c"}}}`,
			[]string{"spec.metadata.annotations[claimbridge.dev/v1-spec]"},
		},
		"a template's key outside of spec.metadata": {
			`{"apiVersion":"resource.k8s.io/v1alpha2","kind":"ResourceClaimTemplate","metadata":{"name":"a","annotations":{"claimbridge.dev/v1-spec":"{}"}},"spec":{"spec":{"resourceClassName":"c"}}}`,
			[]string{"metadata.annotations[claimbridge.dev/v1-spec]"},
		},
		"a handle in a template": {
			`{"apiVersion":"resource.k8s.io/v1alpha3","kind":"ResourceClaimTemplate","metadata":{"name":"a"},"spec":{"spec":{"devices":{"config":[` + handleEntry + `]}}}}`,
			[]string{"spec.spec.devices.config[0].opaque.parameters"},
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			findings, err := Inspect([]byte(test.object))
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, f := range findings {
				got = append(got, f.Field)
				if f.Problem == "" {
					t.Errorf("%s: no problem is named", f.Field)
				}
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s\n%v", diff, findings)
			}
		})
	}
}

// Honest copies of every kind pass.
func TestInspectFindsNothingInHonestCopies(t *testing.T) {
	s := objects.New(seed(t))
	for i := range count(t) {
		from := versions[i%len(versions)]
		object := encode(s.Object(from, objects.Kinds[i/len(versions)%2]))
		for _, to := range Versions() {
			down, report, err := JSON(object, to, Options{AnnotationsOnly: i%5 == 0})
			if err != nil {
				t.Fatal(err)
			}
			if report.Incomplete != "" {
				continue
			}
			findings, err := Inspect(down)
			if err != nil {
				t.Fatal(err)
			}
			for _, f := range findings {
				// A driver of v1alpha2 may have written parameters that look like ours: then they are refused.
				if !strings.Contains(string(object), `"kind":"ResourceHandle"`) {
					t.Fatalf("%s: %+v\n%s", to, f, clip(down))
				}
			}
		}
	}
}

func TestInspectReadsWhatCanBeRead(t *testing.T) {
	for name, object := range map[string]string{
		"no JSON":                 `{`,
		"another kind":            `{"apiVersion":"resource.k8s.io/v1alpha2","kind":"Pod","metadata":{"name":"a"}}`,
		"another version":         `{"apiVersion":"resource.k8s.io/v9","kind":"ResourceClaim","metadata":{"name":"a"}}`,
		"a spec that is none":     `{"apiVersion":"resource.k8s.io/v1alpha2","kind":"ResourceClaim","metadata":{"name":"a"},"spec":1}`,
		"a template's annotation": `{"apiVersion":"resource.k8s.io/v1alpha2","kind":"ResourceClaimTemplate","metadata":{"name":"a"},"spec":{"metadata":{"annotations":{"a":1}},"spec":{}}}`,
	} {
		var rich *Error
		if _, err := Inspect([]byte(object)); !errors.As(err, &rich) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// What is ours and of no use is not stored, what is somebody else's is.
func TestWhatIsNotUsedIsNotStored(t *testing.T) {
	object := `{"apiVersion":"resource.k8s.io/v1beta1","kind":"ResourceClaim","metadata":{"name":"a","annotations":{"claimbridge.dev/v1-spec":"{}","claimbridge.dev/note":"mine","example.com/v1-spec":"c"}},"spec":{}}`
	up, report := converted(t, []byte(object), Stored(), Options{})
	want := map[string]string{"claimbridge.dev/note": "mine", "example.com/v1-spec": "c"}
	if diff := cmp.Diff(want, metaOf(typed(t, up)).Annotations); diff != "" || len(report.Ignored) != 1 {
		t.Errorf("ignored %q, annotations (-want +got):\n%s", report.Ignored, diff)
	}
}

// Who converts an object as well reads it once: the answer, the report and the error are those of a conversion that does not
// look, and the findings are those of a look that does not convert.
func TestInspectingChangesNoConversion(t *testing.T) {
	s := objects.New(seed(t))
	tried := map[string]int{}
	for i := range max(count(t), 100) { // of which some are refused, whatever the seed
		n := len(versions)
		object := encode(s.Object(versions[i%n], objects.Kinds[i/(n*n)%2]))
		version := versions[i/n%n]
		copied, _, err := JSON(object, version, Options{})
		if err != nil {
			t.Fatal(err)
		}
		switch i % 4 {
		case 0:
			copied = bytes.ReplaceAll(copied, []byte(`claimbridge.dev/v1-spec":"{`), []byte(`claimbridge.dev/v1-spec":"{x`))
		case 1:
			copied = bytes.ReplaceAll(copied, []byte(`"claimbridgeLeftover":"v1:`), []byte(`"claimbridgeLeftover":"v1:0`))
		case 2:
			copied = bytes.Replace(copied, []byte(`"labels":{`), []byte(`"labels":{"claimbridge.dev/incomplete":"both",`), 1)
		}
		want, wantReport, wantErr := JSON(copied, Stored(), Options{})
		got, report, err := JSON(copied, Stored(), Options{Inspect: true})
		findings, _ := Inspect(copied)
		if diff := cmp.Diff(findings, report.Findings); diff != "" {
			t.Fatalf("findings (-alone +beside):\n%s", diff)
		}
		tried[fmt.Sprint("refused ", err != nil)]++
		tried[fmt.Sprint("found ", len(findings) > 0)]++
		if err == nil {
			report.Findings = nil
			if diff := cmp.Diff(wantReport, report); diff != "" {
				t.Fatalf("report (-without +with):\n%s", diff)
			}
		}
		if fmt.Sprint(err) != fmt.Sprint(wantErr) || !bytes.Equal(got, want) {
			t.Fatalf("%v, not %v:\n%s\n%s", err, wantErr, clip(got), clip(want))
		}
	}
	if len(tried) != 4 {
		t.Errorf("only %v", tried)
	}
}
