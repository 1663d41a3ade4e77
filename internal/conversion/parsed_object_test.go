package conversion

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/claimbridge/claimbridge/api"
	"github.com/claimbridge/claimbridge/api/v1alpha3"
	"github.com/claimbridge/claimbridge/internal/objectjson"
	"github.com/claimbridge/claimbridge/test/testkit/must"
)

// parsedConvertsAsText checks that a parsed object converts like its text, repeatedly and without changes. The stored
// spec does not depend on the status, because rules validate a spec without it.
func parsedConvertsAsText(c *propertyCase) {
	o, err := Parse(c.object)
	if err != nil {
		c.Fatal(err)
	}
	spec, status := o.SpecAndStatus()
	before := string(objectjson.Marshal(spec)) + string(objectjson.Marshal(status))
	want, wantReport, wantErr := ConvertJSON(c.object, c.to, Options{Inspect: true})
	for range 2 {
		spec, status, report, err := o.Convert(status, c.to, Options{Inspect: true})
		if fmt.Sprint(err) != fmt.Sprint(wantErr) {
			c.Fatalf("parsed: %v, want %v", err, wantErr)
		}
		diff := cmp.Diff(wantReport, report, cmpopts.IgnoreFields(Report{}, "Unknown", "Group", "Version"))
		if diff != "" {
			c.Errorf("report (-text +parsed):\n%s", diff)
		}
		if err != nil {
			continue
		}
		members, _, _ := objectjson.Members(want)
		if c.kind == api.KindTemplate {
			members, _, _ = objectjson.Members(objectjson.Get(members, "spec"))
		}
		for name, part := range map[string]any{"spec": spec, "status": status} {
			want := objectjson.Get(members, name)
			if (part == nil) != (want == nil) ||
				part != nil && !Equal(withCanonicalField(objectjson.Marshal(part)), withCanonicalField(want)) {
				c.Errorf("the parsed %s is\n%s\nwant\n%s", name, clip(objectjson.Marshal(part)), clip(want))
			}
		}
	}
	if after := string(objectjson.Marshal(spec)) + string(objectjson.Marshal(status)); after != before {
		c.Errorf("a conversion has changed\n%s\nto\n%s", before, after)
	}
	with, _, _, err := o.Convert(status, Stored(), Options{})
	without, _, _, errWithout := o.Convert(nil, Stored(), Options{})
	if err == nil && (errWithout != nil || !bytes.Equal(objectjson.Marshal(with), objectjson.Marshal(without))) {
		c.Errorf("without its status: %v\n%s\n%s", errWithout, clip(objectjson.Marshal(with)),
			clip(objectjson.Marshal(without)))
	}
}

// withCanonicalField returns a part whose field is in canonical form, because a parsed object does not have the order
// of its text.
func withCanonicalField(part []byte) []byte {
	members, _, _ := objectjson.Members(part)
	field := objectjson.StringOf(objectjson.Get(members, "claimbridgeLeftover"))
	if status, found := strings.CutPrefix(field, "v1:{"); found {
		canonical := "v1:" + string(objectjson.Canonical([]byte("{"+status)))
		return bytes.Replace(part, objectjson.Get(members, "claimbridgeLeftover"), objectjson.Quote(canonical), 1)
	}
	return part
}

// The error of a rule may contain a text of an object long after the validation.
func TestTextsOfParsedObjectsOutliveThem(t *testing.T) {
	object := []byte(`{"apiVersion":"resource.k8s.io/v1alpha3","kind":"ResourceClaim","metadata":{"name":"a"},` +
		`"spec":{"controller":"plain","devices":{"requests":[{"name":"escaped\t"}]}}}`)
	o := must.Get(Parse(object))(t)
	spec, _ := o.SpecAndStatus()
	header, parsedSpec := o.Header(), spec.(*v1alpha3.ResourceClaimSpec)
	plain, escaped := parsedSpec.Controller, parsedSpec.Devices.Requests[0].Name
	clear(object)
	if header.Name != "a" || plain != "plain" || escaped != "escaped\t" {
		t.Errorf("the texts became %q, %q and %q", header.Name, plain, escaped)
	}
}

// If ConvertsLike returns true, both objects have the same result. It compares everything that the conversion reads.
func TestConvertsLike(t *testing.T) {
	const object = `{"apiVersion":"resource.k8s.io/v1alpha2","kind":"ResourceClaim","metadata":{"name":"a","uid":"u",` +
		`"labels":{"a":"b"},` +
		`"annotations":{"c":"d"},"finalizers":["x"]},"spec":{"resourceClassName":"c"}}`
	for name, test := range map[string]struct {
		old, new string
		want     bool
	}{
		"the same":                              {``, ``, true},
		"another label":                         {`"a":"b"`, `"a":"c"`, true},
		"a finalizer less":                      {`,"finalizers":["x"]`, ``, true},
		"another class":                         {`"resourceClassName":"c"`, `"resourceClassName":"d"`, false},
		"another annotation":                    {`"c":"d"`, `"c":"e"`, false},
		"another object":                        {`"uid":"u"`, `"uid":"v"`, false},
		"a fragment":                            {`"name":"a",`, ``, false},
		"a group of one's own":                  {`resource.k8s.io`, `example.com`, false},
		"being deleted":                         {`"uid":"u"`, `"uid":"u","deletionTimestamp":"2024-01-01T00:00:00Z"`, false},
		"a label that says it lacks":            {`"a":"b"`, `"claimbridge.dev/incomplete":"spec"`, false},
		"a label of claimbridge without effect": {`"a":"b"`, `"claimbridge.dev/other":"spec"`, true},
	} {
		t.Run(name, func(t *testing.T) {
			parse := func(object string) *ParsedObject {
				return must.Get(Parse([]byte(object)))(t)
			}
			a, b := parse(object), parse(strings.Replace(object, test.old, test.new, 1))
			if got := b.ConvertsLike(a); got != test.want {
				t.Fatalf("converts as the other: %v", got)
			}
			spec, _, report, err := a.Convert(nil, Stored(), Options{Inspect: true})
			other, _, otherReport, otherErr := b.Convert(nil, Stored(), Options{Inspect: true})
			same := cmp.Diff(report, otherReport) == "" && err == nil && otherErr == nil &&
				bytes.Equal(objectjson.Marshal(spec), objectjson.Marshal(other))
			if test.want && !same {
				t.Errorf("%v, %v\n%s\n%s", err, otherErr, objectjson.Marshal(spec), objectjson.Marshal(other))
			}
		})
	}
}
