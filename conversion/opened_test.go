package conversion

import (
	"bytes"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/claimbridge/claimbridge/api"
	"github.com/claimbridge/claimbridge/api/v1alpha3"
	"github.com/claimbridge/claimbridge/internal/kjson"
	"github.com/claimbridge/claimbridge/test/objects"
)

// An object that was opened converts as its text does, as often as one likes, and its parts do not change by that.
func TestOpenedObjectsConvertAsTheirTextDoes(t *testing.T) {
	s := objects.New(seed(t))
	for i := range count(t) {
		stored := encode(s.Object(Versions()[i%3], objects.Kinds[i/3%2]))
		object, _, err := JSON(stored, Versions()[i/2%3], Options{})
		if err != nil {
			t.Fatal(err)
		}
		o, err := Open(object)
		if err != nil {
			t.Fatal(err)
		}
		spec, status := o.Parts()
		before := string(Encode(spec)) + string(Encode(status))
		for range 2 {
			for _, version := range Versions() {
				want, wantReport, wantErr := JSON(object, version, Options{Inspect: true})
				spec, status, report, err := o.Convert(status, version, Options{Inspect: true})
				if (err == nil) != (wantErr == nil) || err != nil && err.Error() != wantErr.Error() {
					t.Fatalf("to %s: %v, want %v", version, err, wantErr)
				}
				if diff := cmp.Diff(wantReport, report, cmpopts.IgnoreFields(Report{}, "Unknown", "Group", "Version")); diff != "" {
					t.Fatalf("report (-text +opened):\n%s", diff)
				}
				if err != nil {
					continue
				}
				members, _, err := kjson.Members(want)
				if err != nil {
					t.Fatal(err)
				}
				if o.Header().Kind == api.KindTemplate {
					members, _, _ = kjson.Members(kjson.Get(members, "spec"))
				}
				for name, part := range map[string]any{"spec": spec, "status": status} {
					if wanted := kjson.Get(members, name); (part == nil) != (wanted == nil) || part != nil && !Equal(Encode(part), wanted) {
						t.Fatalf("%s of %s:\n%s\nwant\n%s", name, version, clip(Encode(part)), clip(wanted))
					}
				}
			}
		}
		if after := string(Encode(spec)) + string(Encode(status)); after != before {
			t.Fatalf("a conversion has changed\n%s\nto\n%s", before, after)
		}
		o.Close()
	}
}

// A rule's error may name what stood in an object long after it was judged.
func TestTextsOfOpenedObjectsOutliveThem(t *testing.T) {
	object := []byte(`{"apiVersion":"resource.k8s.io/v1alpha3","kind":"ResourceClaim","metadata":{"name":"a"},` +
		`"spec":{"controller":"plain","devices":{"requests":[{"name":"escaped\t"}]}}}`)
	o, err := Open(object)
	if err != nil {
		t.Fatal(err)
	}
	spec, _ := o.Parts()
	header, given := o.Header(), spec.(*v1alpha3.ResourceClaimSpec)
	plain, escaped := given.Controller, given.Devices.Requests[0].Name
	clear(object)
	o.Close()
	other := bytes.Repeat([]byte("x"), 300)
	for range 10 {
		if o, err := Open(append([]byte(`{"apiVersion":"resource.k8s.io/v1alpha3","kind":"ResourceClaim","metadata":{"name":"`), append(other, `\t"}}`...)...)); err == nil {
			o.Close()
		}
	}
	if header.Name != "a" || plain != "plain" || escaped != "escaped\t" {
		t.Errorf("the texts became %q, %q and %q", header.Name, plain, escaped)
	}
}
