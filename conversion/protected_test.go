package conversion

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/claimbridge/claimbridge/conversion/internal/leftover"
	v1alpha3step "github.com/claimbridge/claimbridge/conversion/internal/v1alpha3"
	"github.com/claimbridge/claimbridge/internal/kjson"
)

// allocatedAll is a claim whose allocation the older versions cannot say whole.
const allocatedAll = `{"apiVersion":"resource.k8s.io/v1alpha3","kind":"ResourceClaim","metadata":{"name":"a","uid":"u"},` +
	`"spec":{"devices":{"requests":[{"name":"gpus","deviceClassName":"gpu","allocationMode":"All"}]}},"status":{"allocation":{"controller":"c.example.com","devices":{` +
	`"results":[{"request":"gpus","driver":"gpu.example.com","pool":"a/b","device":"gpu-0"}]}}}}`

func converted(t *testing.T, object []byte, to string, o Options) ([]byte, Report) {
	t.Helper()
	out, report, err := JSON(object, to, o)
	if err != nil {
		t.Fatal(err)
	}
	return out, report
}

// An annotation that was copied from another claim says nothing of this one's status, whichever way the claim goes.
func TestStatusPartsCountForTheirOwnClaim(t *testing.T) {
	for _, version := range []string{"v1alpha2", "v1alpha1"} {
		for _, uid := range []string{"u", "other"} {
			t.Run(version+" "+uid, func(t *testing.T) {
				file, _ := converted(t, []byte(allocatedAll), version, Options{AnnotationsOnly: true})
				copied := []byte(strings.Replace(string(file), `"uid":"u"`, `"uid":"`+uid+`"`, 1))
				up, report := converted(t, copied, Newest(), Options{})
				counts := strings.Contains(string(up), `"pool":"a/b"`)
				stale := slices.ContainsFunc(report.Stale, func(s string) bool { return strings.Contains(s, "is that of another claim") }) && len(report.Ignored) == 0
				if counts != (uid == "u") || stale == counts {
					t.Errorf("counts: %v, stale %q", counts, report.Stale)
				}
				for _, other := range Versions()[:2] { // the field that a stored annotation becomes
					detour, _ := converted(t, copied, other, Options{})
					if got, _ := converted(t, detour, Newest(), Options{}); statusText(t, got) != statusText(t, up) {
						t.Errorf("through %s:\n%s\nnot\n%s", other, got, up)
					}
				}
			})
		}
	}
}

func statusText(t *testing.T, object []byte) string {
	t.Helper()
	members, _, err := kjson.Members(object)
	if err != nil {
		t.Fatal(err)
	}
	return string(kjson.Canonical(kjson.Get(members, "status")))
}

// A malformed annotation says nothing, not even as far as it can be read.
func TestMalformedAnnotationsSayNothing(t *testing.T) {
	file, _ := converted(t, []byte(allocatedAll), "v1alpha2", Options{AnnotationsOnly: true})
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
			direct, report := converted(t, spoilt, Newest(), Options{})
			if len(report.Ignored) == 0 || strings.Contains(string(direct), `"pool":"a/b"`) {
				t.Errorf("ignored %q: %s", report.Ignored, direct)
			}
			older, _ := converted(t, spoilt, "v1alpha1", Options{})
			if got, _ := converted(t, older, Newest(), Options{}); statusText(t, got) != statusText(t, direct) {
				t.Errorf("through v1alpha1:\n%s\nnot\n%s", got, direct)
			}
		})
	}
}

// Which copies have the field: those of complete objects with a status, unless they are for files.
func TestWhichCopiesHaveTheField(t *testing.T) {
	const status = `,"status":{"driverName":"d","allocation":{"shareable":true}}`
	claim := func(version, name, status string) string {
		return `{"apiVersion":"resource.k8s.io/` + version + `","kind":"ResourceClaim","metadata":{` + name + `},"spec":{"resourceClassName":"c"}` + status + `}`
	}
	const named = `"name":"a","uid":"u"`
	for name, test := range map[string]struct {
		object, to string
		files      bool
		want       string
	}{
		"of the newest":                    {allocatedAll, "v1alpha2", false, `v1:`},
		"of the newest, to the oldest":     {allocatedAll, "v1alpha1", false, `v1:`},
		"of the newest, as a file":         {allocatedAll, "v1alpha2", true, ``},
		"of an older one, going down":      {claim("v1alpha2", named, status), "v1alpha1", false, `v1:nothing`},
		"of the oldest, going up":          {claim("v1alpha1", named, status), "v1alpha2", false, `v1:nothing`},
		"of an older one, as a file":       {claim("v1alpha2", named, status), "v1alpha1", true, ``},
		"of the oldest, as a file":         {claim("v1alpha1", named, status), "v1alpha2", true, ``},
		"of a fragment, going down":        {claim("v1alpha2", ``, status), "v1alpha1", false, ``},
		"of a fragment, going up":          {claim("v1alpha1", ``, status), "v1alpha2", false, ``},
		"without an allocation":            {claim("v1alpha2", named, `,"status":{"driverName":"d"}`), "v1alpha1", false, `v1:nothing`},
		"without an allocation, going up":  {claim("v1alpha1", named, `,"status":{"driverName":"d"}`), "v1alpha2", false, `v1:nothing`},
		"without a status":                 {claim("v1alpha2", named, ``), "v1alpha1", false, ``},
		"with a field of its own going up": {claim("v1alpha1", named, strings.Replace(status, `}}`, `},"claimbridgeLeftover":"{}"}`, 1)), "v1alpha2", false, `v1:nothing`},
	} {
		t.Run(name, func(t *testing.T) {
			out, _ := converted(t, []byte(test.object), test.to, Options{AnnotationsOnly: test.files})
			if got := leftoverOf(t, out); !strings.Contains(got, test.want) || (got == "") != (test.want == "") {
				t.Errorf("field %q, want %q", got, test.want)
			}
		})
	}
}

// Of the steps above the version that a claim is stored in nothing is known: that is neither ignored nor does it settle
// which request an allocation is for.
func TestWhatIsNotKnownIsNotSettled(t *testing.T) {
	const spec = `{"requests":[{"name":"gpus","deviceClassName":"c"}]}`
	object := `{"apiVersion":"resource.k8s.io/v1alpha2","kind":"ResourceClaim","metadata":{"name":"a","uid":"u"%s%s},"spec":{"resourceClassName":"c"},` +
		`"status":{"driverName":"d","allocation":{"shareable":true}%s}}`
	w := readObject(t, fmt.Appendf(nil, object, "", "", ""))
	c, _, err := w.readClaim(1)
	if err != nil {
		t.Fatal(err)
	}
	a := leftover.Annotation{Spec: &leftover.Part{Digest: leftover.Digest(v1alpha3step.Step.VisibleSpec(*c.(*claimV1alpha2))), Value: []byte(spec)}}
	annotated := `,"annotations":{"claimbridge.dev/v1alpha3-not-in-v1alpha2":` + string(kjson.Quote(string(encode(&a)))) + `}`
	for name, test := range map[string]struct{ deleting, field, request string }{
		"without the field":                 {"", ``, "gpus"},
		"a field that says so":              {"", `{"v1alpha3-not-in-v1alpha2":{"digest":"","value":null},"v1beta1-not-in-v1alpha3":{"digest":"","value":null}}`, "gpus"},
		"a field that has nothing":          {"", `{}`, "claim"},
		"a field that is broken":            {`,"deletionTimestamp":"2026-01-02T03:04:05Z"`, `{`, "gpus"},
		"a field that is there, in escapes": {"", `{"v1alpha3\u002dnot-in-v1alpha2":{"digest":"","value":null}}`, "gpus"},
	} {
		t.Run(name, func(t *testing.T) {
			field := ""
			if test.field != "" {
				field = `,"claimbridgeLeftover":` + string(kjson.Quote(test.field))
			}
			up, report := converted(t, fmt.Appendf(nil, object, annotated, test.deleting, field), Newest(), Options{})
			if !strings.Contains(string(up), `"results":[{"request":"`+test.request+`"`) {
				t.Errorf("the result is not for %s: %s", test.request, up)
			}
			if test.field != "{" && len(report.Ignored)+len(report.Stale) > 0 {
				t.Errorf("ignored: %q, stale: %q", report.Ignored, report.Stale)
			}
		})
	}
}

// Why a field cannot be used is said, and that it is a field of ours that lacks nothing is not believed.
func TestUnusableFields(t *testing.T) {
	const unknown = "has a part that no step"
	for name, test := range map[string]struct{ field, deleting, want string }{
		"no step twice":                  {`{"s":{"digest":"","value":null},"s":{"digest":"","value":null}}`, "", "it is malformed"},
		"a step twice":                   {`{"v1alpha3-not-in-v1alpha2":{"digest":"","value":null},"v1alpha3-not-in-v1alpha2":{"digest":"","value":null}}`, "", "it is malformed"},
		"something behind it":            {`{} x`, "", "it is malformed"},
		"a step that is not there":       {`{"v9-not-in-v8":{"digest":"","value":null}}`, "", unknown},
		"such a step, in escapes":        {`{"v9\u002dnot-in-v8":{"digest":"","value":null}}`, "", unknown},
		"such a step of a dying claim":   {`{"v9-not-in-v8":{"digest":"","value":null}}`, `,"deletionTimestamp":"2026-01-02T03:04:05Z"`, ""},
		"what does not complete it":      {`{"v1alpha3-not-in-v1alpha2":{"digest":"00","value":{}}}`, "", ""},
		"nothing, with white space":      {` { } `, "", ""},
		"a malformed one of a dying one": {`{`, `,"deletionTimestamp":"2026-01-02T03:04:05Z"`, ""},
	} {
		t.Run(name, func(t *testing.T) {
			object := `{"apiVersion":"resource.k8s.io/v1alpha2","kind":"ResourceClaim","metadata":{"name":"a","uid":"u"` + test.deleting + `},"spec":{"resourceClassName":"c"},` +
				`"status":{"driverName":"d","allocation":{"shareable":true},"claimbridgeLeftover":` + string(kjson.Quote(test.field)) + `}}`
			_, _, err := JSON([]byte(object), Newest(), Options{})
			if errors.Is(err, ErrIncomplete) != (test.want != "") || err != nil && !strings.Contains(err.Error(), test.want) {
				t.Errorf("error %v, want %q", err, test.want)
			}
		})
	}
}

// The report names what is carried and what is lost, when it is asked.
func TestReportOfWhatIsCarriedAndLost(t *testing.T) {
	const key = "v1alpha2"
	starts := func(list []string) (all []string) {
		for _, text := range list {
			at, _, _ := strings.Cut(text, ",")
			all = append(all, at)
		}
		return all
	}
	const spec, status = "metadata.annotations[claimbridge.dev/v1-spec]: spec part", "metadata.annotations[claimbridge.dev/v1-status]: status part"
	for name, test := range map[string]struct {
		options Options
		want    []string
	}{
		"not asked": {Options{}, nil},
		"a copy":    {Options{Carried: true}, []string{spec, status}},
		"a file":    {Options{Carried: true, AnnotationsOnly: true}, []string{spec, status}},
	} {
		t.Run(name, func(t *testing.T) {
			if _, report := converted(t, []byte(allocatedAll), key, test.options); !slices.Equal(starts(report.Carried), test.want) {
				t.Errorf("carried %q, want %q", report.Carried, test.want)
			}
		})
	}
	for status, lost := range map[string]bool{`{"driverName":"d"}`: true, `{"driverName":"d","allocation":{}}`: false, `{}`: false, `null`: false} {
		object := `{"apiVersion":"resource.k8s.io/v1alpha2","kind":"ResourceClaim","metadata":{"name":"a"},"spec":{"resourceClassName":"c"},"status":` + status + `}`
		if _, report := converted(t, []byte(object), Newest(), Options{}); slices.Contains(report.Lost, "status.driverName") != lost {
			t.Errorf("%s: lost %q", status, report.Lost)
		}
	}
}
