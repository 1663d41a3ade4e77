package conversion

import (
	"slices"
	"strings"
	"testing"

	"github.com/claimbridge/claimbridge/internal/conversion/preserve"
	"github.com/claimbridge/claimbridge/internal/objectjson"
	"github.com/claimbridge/claimbridge/test/objects"
	"github.com/claimbridge/claimbridge/test/testkit/must"
)

// allocatedAll returns a claim whose allocation older versions cannot represent completely.
const allocatedAll = `{"apiVersion":"resource.k8s.io/v1alpha3","kind":"ResourceClaim","metadata":{"name":"a",` +
	`"uid":"u"},` +
	`"spec":{"devices":{"requests":[{"name":"gpus","deviceClassName":"gpu","allocationMode":"All"}]}},` +
	`"status":{"allocation":{"controller":"c.example.com","devices":{` +
	`"results":[{"request":"gpus","driver":"gpu.example.com","pool":"a/b","device":"gpu-0"}]}}}}`

// An annotation that was copied from another claim does not affect the status, in any conversion.
func TestPreservedStatusesBelongToTheirClaim(t *testing.T) {
	for _, version := range []string{"v1alpha2", "v1alpha1"} {
		for _, uid := range []string{"u", "other"} {
			t.Run(version+" "+uid, func(t *testing.T) {
				file, _ := converted(t, []byte(allocatedAll), version, Options{Manifest: true})
				copied := []byte(strings.Replace(string(file), `"uid":"u"`, `"uid":"`+uid+`"`, 1))
				up, report := converted(t, copied, Stored(), Options{})
				counts := strings.Contains(string(up), `"pool":"a/b"`)
				stale := slices.ContainsFunc(report.Stale, func(s string) bool {
					return strings.Contains(s, "is that of another claim")
				}) && len(report.Ignored) == 0
				if counts != (uid == "u") || stale == counts {
					t.Errorf("counts: %v, stale %q", counts, report.Stale)
				}
				for _, other := range Versions()[:2] { // the field that a stored annotation is converted to
					detour, _ := converted(t, copied, other, Options{})
					if got, _ := converted(t, detour, Stored(), Options{}); statusText(t, got) != statusText(t, up) {
						t.Errorf("through %s:\n%s\nnot\n%s", other, got, up)
					}
				}
			})
		}
	}
}

// If the annotation and the field have different statuses, the field is used, and the annotation is reported.
func TestStatusInTheFieldHasPrecedence(t *testing.T) {
	both, _ := converted(t, []byte(allocatedAll), "v1alpha2", Options{})
	annotation := metaOf(decodeTyped(t, both)).Annotations[preserve.StatusAnnotation]
	for name, test := range map[string]struct {
		annotation string
		ignored    int
	}{
		"the same":    {annotation, 0},
		"other words": {strings.Replace(annotation, "a/b", "a/c", 1), 1},
	} {
		t.Run(name, func(t *testing.T) {
			quoted := string(objectjson.Quote(annotation))
			if !strings.Contains(string(both), quoted) {
				t.Fatalf("no annotation %s in %s", quoted, both)
			}
			copied := strings.Replace(string(both), quoted, string(objectjson.Quote(test.annotation)), 1)
			up, report := converted(t, []byte(copied), Stored(), Options{})
			if !strings.Contains(string(up), `"pool":"a/b"`) || len(report.Ignored) != test.ignored {
				t.Errorf("ignored %q: %s", report.Ignored, up)
			}
		})
	}
}

func statusText(t *testing.T, object []byte) string {
	t.Helper()
	members, _ := must.Get2(objectjson.Members(object))(t)
	return string(objectjson.Canonical(objectjson.Get(members, "status")))
}

// A malformed annotation is ignored completely.
func TestMalformedAnnotationsAreIgnored(t *testing.T) {
	file, _ := converted(t, []byte(allocatedAll), "v1alpha2", Options{Manifest: true})
	for name, spoil := range map[string][2]string{
		"an unknown member":   {`\"status\":{`, `\"status\":{\"more\":1,`},
		"something behind it": {`}}]}}}}"`, `}}]}}}} x"`},
		"no status":           {`\"status\":{`, `\"statuses\":{`},
	} {
		t.Run(name, func(t *testing.T) {
			spoilt := []byte(strings.Replace(string(file), spoil[0], spoil[1], 1))
			if string(spoilt) == string(file) {
				t.Fatalf("is as it was: %s", file)
			}
			direct, report := converted(t, spoilt, Stored(), Options{})
			if len(report.Ignored) == 0 || strings.Contains(string(direct), `"pool":"a/b"`) {
				t.Errorf("ignored %q: %s", report.Ignored, direct)
			}
			older, _ := converted(t, spoilt, "v1alpha1", Options{})
			if got, _ := converted(t, older, Stored(), Options{}); statusText(t, got) != statusText(t, direct) {
				t.Errorf("through v1alpha1:\n%s\nnot\n%s", got, direct)
			}
		})
	}
}

// Copies of complete objects with a status have the field, unless they are for files.
func TestCopiesThatHaveTheField(t *testing.T) {
	for name, test := range objects.Cases[struct {
		From, To, Field string
		Object          objects.JSON
		Files           bool
	}](t, "testdata/cases/fields.yaml") {
		t.Run(name, func(t *testing.T) {
			out, _ := converted(t, claimOf(test.From, test.Object), test.To, Options{Manifest: test.Files})
			got := *preservedField(decodeTyped(t, out))
			if !strings.Contains(got, test.Field) || (got == "") != (test.Field == "") {
				t.Errorf("field %q, want %q", got, test.Field)
			}
		})
	}
}

// The report lists preserved and lost data if the options request it.
func TestReportOfPreservedAndLostData(t *testing.T) {
	const key = "v1alpha2"
	starts := func(list []string) (all []string) {
		for _, text := range list {
			at, _, _ := strings.Cut(text, ",")
			all = append(all, at)
		}
		return all
	}
	const spec = "metadata.annotations[claimbridge.dev/v1-spec]: spec part"
	const status = "metadata.annotations[claimbridge.dev/v1-status]: status part"
	for name, test := range map[string]struct {
		options Options
		want    []string
	}{
		"not asked": {Options{}, nil},
		"a copy":    {Options{ListPreserved: true}, []string{spec, "status.claimbridgeLeftover: status part", status}},
		"a file":    {Options{ListPreserved: true, Manifest: true}, []string{spec, status}},
	} {
		t.Run(name, func(t *testing.T) {
			_, report := converted(t, []byte(allocatedAll), key, test.options)
			if !slices.Equal(starts(report.Preserved), test.want) {
				t.Errorf("carried %q, want %q", report.Preserved, test.want)
			}
		})
	}
	for name, lost := range map[string][]string{
		`"name":"a"`: nil,
		``:           {"status.allocation.shareable"},
	} {
		object := `{"apiVersion":"resource.k8s.io/v1alpha2","kind":"ResourceClaim","metadata":{` + name + `},` +
			`"spec":{"resourceClassName":"c"},"status":{"driverName":"d","allocation":{"shareable":true}}}`
		if _, report := converted(t, []byte(object), Stored(), Options{}); !slices.Equal(report.Lost, lost) {
			t.Errorf("a claim with metadata {%s}: lost %q, want %q", name, report.Lost, lost)
		}
	}
	for status, lost := range map[string]bool{
		`{"driverName":"d"}`:                 true,
		`{"driverName":"d","allocation":{}}`: false,
		`{}`:                                 false,
		`null`:                               false,
	} {
		object := `{"apiVersion":"resource.k8s.io/v1alpha2","kind":"ResourceClaim","metadata":{"name":"a"},` +
			`"spec":{"resourceClassName":"c"},"status":` + status + `}`
		_, report := converted(t, []byte(object), Stored(), Options{})
		if slices.Contains(report.Lost, "status.driverName") != lost {
			t.Errorf("%s: lost %q", status, report.Lost)
		}
	}
}
