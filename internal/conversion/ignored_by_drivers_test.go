package conversion

import (
	"bytes"
	"cmp"
	"testing"

	"github.com/claimbridge/claimbridge/api/v1alpha3"
	"github.com/claimbridge/claimbridge/internal/conversion/hub"
	"github.com/claimbridge/claimbridge/internal/names"
	"github.com/claimbridge/claimbridge/internal/objectjson"
	"github.com/claimbridge/claimbridge/test/objects"
	"github.com/claimbridge/claimbridge/test/testkit/must"
)

// The search in the text finds the entries of the object, unless parameters of a driver look like entries.
func TestFindIgnoredByDriversFindsEntries(t *testing.T) {
	s := objects.New(objects.Seed(t))
	found := map[IgnoredByDrivers]int{}
	for i := range 1500 {
		object := encode(s.Object(versions[i%len(versions)], objects.Kinds[i/len(versions)%2]))
		forged := bytes.Contains(object, []byte(names.Domain))
		converted, _ := must.Get2(ConvertJSON(object, Stored(), Options{}))(t)
		want := entriesOf(t, converted)
		got := FindIgnoredByDrivers(converted)
		if !got.Parameters && want.Parameters || !got.Handle && want.Handle || !got.Controller && want.Controller ||
			!got.Allocator && want.Allocator || got != want && !forged {
			t.Fatalf("got %+v, want %+v: %s", got, want, converted)
		}
		if !forged {
			found[want]++
		}
	}
	if len(found) < 5 {
		t.Errorf("generated objects cover only %v", found)
	}
}

// entriesOf returns the entries of a claim or template.
func entriesOf(t *testing.T, object []byte) (found IgnoredByDrivers) {
	t.Helper()
	object, _, err := ConvertJSON(object, "v1alpha3", Options{}) // which joins chunks
	if err != nil {
		t.Fatal(err)
	}
	o := decodeTyped(t, object)
	spec := cmp.Or(part[v1alpha3.ResourceClaimSpec](o, "Spec"), part[v1alpha3.ResourceClaimSpec](o, "Spec", "Spec"))
	found.Controller = spec.Controller != ""
	for _, entry := range spec.Devices.Config {
		var parameters hub.ClassicSpecEntry
		if hub.EntryKind(entry.Opaque) != hub.KindClassicSpec {
			continue
		}
		must.Get(objectjson.Decode(entry.Opaque.Parameters.Raw, &parameters))(t)
		found.Parameters = found.Parameters || parameters.ParametersRef != nil
	}
	claim, isClaim := o.(*v1alpha3.ResourceClaim)
	if !isClaim || claim.Status.Allocation == nil {
		return found
	}
	found.Allocator = claim.Status.Allocation.Controller != ""
	for _, entry := range claim.Status.Allocation.Devices.Config {
		found.Handle = found.Handle || hub.EntryKind(entry.Opaque) == hub.KindResourceHandle
	}
	return found
}
