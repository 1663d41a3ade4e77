package codec

import (
	"os"
	"reflect"
	"testing"

	"github.com/claimbridge/claimbridge/api/v1alpha1"
	"github.com/claimbridge/claimbridge/api/v1alpha2"
	"github.com/claimbridge/claimbridge/api/v1alpha3"
	"github.com/claimbridge/claimbridge/internal/kjson"
)

// What is read is the same whether it is read into an arena, into one that was used, or into memory of its own.
func TestMemoryDoesNotMatter(t *testing.T) {
	var arena kjson.Arena
	for version, parts := range map[string]map[string]func() any{
		"v1alpha1": {"spec": func() any { return &v1alpha1.ResourceClaimSpec{} }, "status": func() any { return &v1alpha1.ResourceClaimStatus{} }},
		"v1alpha2": {"spec": func() any { return &v1alpha2.ResourceClaimSpec{} }, "status": func() any { return &v1alpha2.ResourceClaimStatus{} }},
		"v1alpha3": {"spec": func() any { return &v1alpha3.ResourceClaimSpec{} }, "status": func() any { return &v1alpha3.ResourceClaimStatus{} }},
	} {
		object, err := os.ReadFile("../../../test/testdata/typical/" + version + ".json")
		if err != nil {
			t.Fatal(err)
		}
		members, _, err := kjson.Members(object)
		if err != nil {
			t.Fatal(err)
		}
		for name, empty := range parts {
			part := kjson.Get(members, name)
			own, first, again, decoded := empty(), empty(), empty(), empty()
			if _, err := kjson.Decode(part, decoded); err != nil {
				t.Fatal(err)
			}
			readers := map[any]func([]byte) *kjson.Reader{own: kjson.NewReader, first: arena.Reader, again: arena.Reader}
			for into, reader := range readers {
				r := reader(part)
				if ReadValue(r, into); !r.Done() || !reflect.DeepEqual(into, decoded) {
					t.Errorf("%s of %s is read as\n%+v, not\n%+v", name, version, into, decoded)
				}
			}
		}
		arena.Reset()
	}
}
