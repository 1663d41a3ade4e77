package objects

import (
	"encoding/json"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/claimbridge/claimbridge/api"
	"github.com/claimbridge/claimbridge/test/testkit/must"
)

// If no object has a field, no property test covers the field.
func TestObjectsHaveEveryField(t *testing.T) {
	for _, version := range api.Names() {
		for _, kind := range Kinds {
			t.Run(version+" "+kind, func(t *testing.T) {
				source := New(1)
				missing := map[string]bool{}
				fields(reflect.ValueOf(api.New(version, kind)), "", func(path string, _ bool) { missing[path] = true })
				for range 2000 {
					fields(reflect.ValueOf(source.Object(version, kind)), "", func(path string, set bool) {
						if set {
							delete(missing, path)
						}
					})
				}
				delete(missing, "status.claimbridgeLeftover") // conversion writes it
				for path := range missing {
					t.Errorf("no object has %s", path)
				}
			})
		}
	}
}

// fields of a value, and those that there could be, by their JSON paths. Metadata is not looked into.
func fields(v reflect.Value, path string, found func(path string, set bool)) {
	switch v.Interface().(type) {
	case metav1.ObjectMeta, runtime.RawExtension, resource.Quantity, metav1.Time, metav1.TypeMeta:
		found(path, !v.IsZero())
		return
	}
	switch v.Kind() {
	case reflect.Pointer:
		if v.IsNil() {
			v = reflect.New(v.Type().Elem())
		}
		fields(v.Elem(), path, found)
	case reflect.Slice:
		if strings.HasPrefix(v.Type().Elem().PkgPath(), "k8s.io/api/core") { // a node selector is of another API
			found(path, v.Len() > 0)
			return
		}
		for i := range v.Len() {
			fields(v.Index(i), path+"[]", found)
		}
		if v.Len() == 0 {
			fields(reflect.Zero(v.Type().Elem()), path+"[]", found)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			name, _, _ := strings.Cut(v.Type().Field(i).Tag.Get("json"), ",")
			fields(v.Field(i), strings.Trim(path+"."+name, "."), found)
		}
	default: // a map counts as one
		found(path, !v.IsZero() && (v.Kind() != reflect.Map || v.Len() > 0))
	}
}

func TestOneSeedMakesTheSameObjects(t *testing.T) {
	one, other := New(7), New(7)
	for range 20 {
		for _, version := range Versions {
			a, errA := json.Marshal(one.Object(version, api.KindClaim))
			b, errB := json.Marshal(other.Object(version, api.KindClaim))
			if errA != nil || errB != nil || string(a) != string(b) {
				t.Fatalf("%v, %v\n%s\n%s", errA, errB, a, b)
			}
		}
	}
}

// Objects of a release have what the release had, so that its own API server can be asked about them.
func TestObjectsOfAReleaseHaveItsFields(t *testing.T) {
	cameIn := map[string][]string{
		"1.31": {"deallocationRequested"},
		"1.32": {"networkData"},
		"1.33": {"firstAvailable", "networkData", "tolerations"},
		"1.34": {
			"bindingConditions", "capacity", "distinctAttribute", "firstAvailable", "networkData", "shareID",
			"tolerations",
		},
		"1.36": {
			"bindingConditions", "capacity", "distinctAttribute", "firstAvailable", "networkData", "shareID",
			"tolerations",
		},
		"1.37": {
			"bindingConditions", "capacity", "derivedAttributes", "distinctAttribute", "firstAvailable",
			"networkData", "shareID", "skipNodeOperations", "tolerations",
		},
	}
	names := map[string]bool{"claimbridgeDeallocationRequested": true}
	for _, some := range cameIn {
		for _, name := range some {
			names[name] = true
		}
	}
	for release, want := range cameIn {
		t.Run(release, func(t *testing.T) {
			source := New(1).Of(release)
			version := "v1"
			if release < "1.34" {
				version = "v1alpha3"
			}
			got := map[string]bool{}
			for range 500 {
				object := must.Get(json.Marshal(source.Object(version, api.KindClaim)))(t)
				for name := range names {
					if strings.Contains(string(object), `"`+name+`":`) {
						got[name] = true
					}
				}
			}
			if diff := cmp.Diff(want, slices.Sorted(maps.Keys(got))); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}
