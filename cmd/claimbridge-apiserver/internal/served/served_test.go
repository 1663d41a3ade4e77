package served

import (
	"reflect"
	"slices"
	"testing"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/claimbridge/claimbridge/api"
	"github.com/claimbridge/claimbridge/conversion"
)

func TestEveryVersionButTheStoredOneIsServed(t *testing.T) {
	want := slices.DeleteFunc(api.Names(), func(name string) bool { return name == Stored })
	slices.Reverse(want) // newest first
	if got := Versions(); !slices.Equal(got, want) {
		t.Errorf("want %q, got %q", want, got)
	}
}

// What is asked of the store and what lenses make is one version.
func TestTheStoredVersionIsTheNewest(t *testing.T) {
	if Stored != conversion.Newest() {
		t.Errorf("want %s, got %s", conversion.Newest(), Stored)
	}
}

// The name of the Go type is that of the kind, and of its version: a row that was copied is found by its package.
func TestEveryRowHasItsOwnTypes(t *testing.T) {
	scheme := NewScheme()
	seen := map[reflect.Type]bool{}
	for _, version := range Versions() {
		for _, kind := range Kinds(version) {
			for name, object := range map[string]any{kind.Kind: kind.New(), kind.Kind + "List": kind.NewList()} {
				typed := reflect.TypeOf(object).Elem()
				if typed.Name() != name {
					t.Errorf("%s %s has the type %s", version, name, typed)
				}
				if seen[typed] {
					t.Errorf("%s stands in two rows", typed)
				}
				seen[typed] = true
			}
			kinds, _, err := scheme.ObjectKinds(kind.New())
			if want := []schema.GroupVersionKind{kind.GroupVersionKind()}; err != nil || !slices.Equal(kinds, want) {
				t.Errorf("want %v, got %v and %v", want, kinds, err)
			}
		}
	}
}

func TestLookup(t *testing.T) {
	tests := map[string]struct {
		version, resource string
		want              string
	}{
		"claims of a beta version":           {"v1beta1", "resourceclaims", "ResourceClaim"},
		"classes of devices are not all":     {"v1beta2", "deviceclasses", "DeviceClass"},
		"claims of an alpha version":         {"v1alpha1", "resourceclaims", "ResourceClaim"},
		"an alpha version has claims alone":  {"v1alpha3", "deviceclasses", ""},
		"the stored version is not for us":   {"v1", "resourceclaims", ""},
		"a kind is not a resource":           {"v1beta1", "ResourceClaim", ""},
		"a subresource is not in its name":   {"v1beta1", "resourceclaims/status", ""},
		"a version that there has not been":  {"v1beta3", "resourceclaims", ""},
		"resources of other groups are none": {"v1beta1", "pods", ""},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			kind, found := Lookup(test.version, test.resource)
			if found != (test.want != "") || kind.Kind != test.want {
				t.Errorf("want %q, got %q and %t", test.want, kind.Kind, found)
			}
		})
	}
}
