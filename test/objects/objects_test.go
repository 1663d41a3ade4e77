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

// Property tests cover only the fields that generated objects have.
func TestObjectsHaveEveryField(t *testing.T) {
	for _, version := range api.Names() {
		for _, kind := range Kinds {
			t.Run(version+" "+kind, func(t *testing.T) {
				source := New(1)
				missing := map[string]bool{}
				visitFields(reflect.ValueOf(api.New(version, kind)), "", func(path string, _ bool) { missing[path] = true })
				for range 2000 {
					visitFields(reflect.ValueOf(source.Object(version, kind)), "", func(path string, set bool) {
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

// visitFields calls visit with the JSON path of each field of a value and of the types in it, and whether the field is
// set. It does not visit fields of metadata.
func visitFields(v reflect.Value, path string, visit func(path string, set bool)) {
	switch v.Interface().(type) {
	case metav1.ObjectMeta, runtime.RawExtension, resource.Quantity, metav1.Time, metav1.TypeMeta:
		visit(path, !v.IsZero())
		return
	}
	switch v.Kind() {
	case reflect.Pointer:
		if v.IsNil() {
			v = reflect.New(v.Type().Elem())
		}
		visitFields(v.Elem(), path, visit)
	case reflect.Slice:
		if strings.HasPrefix(v.Type().Elem().PkgPath(), "k8s.io/api/core") { // a node selector is of another API
			visit(path, v.Len() > 0)
			return
		}
		for i := range v.Len() {
			visitFields(v.Index(i), path+"[]", visit)
		}
		if v.Len() == 0 {
			visitFields(reflect.Zero(v.Type().Elem()), path+"[]", visit)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			name, _, _ := strings.Cut(v.Type().Field(i).Tag.Get("json"), ",")
			visitFields(v.Field(i), strings.Trim(path+"."+name, "."), visit)
		}
	default: // a map counts as one field
		visit(path, !v.IsZero() && (v.Kind() != reflect.Map || v.Len() > 0))
	}
}

func TestSameSeedGeneratesSameObjects(t *testing.T) {
	first, second := New(7), New(7)
	for range 20 {
		for _, version := range Versions {
			a := must.Get(json.Marshal(first.Object(version, api.KindClaim)))(t)
			b := must.Get(json.Marshal(second.Object(version, api.KindClaim)))(t)
			if string(a) != string(b) {
				t.Fatalf("two sources with the same seed returned different objects:\n%s\n%s", a, b)
			}
		}
	}
}

// Objects for a release have only the fields of the release, so that tests can send them to its API server.
func TestObjectsOfAReleaseHaveItsFields(t *testing.T) {
	newerFields := map[string][]string{ // fields that not all releases have, by release
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
	for _, releaseFields := range newerFields {
		for _, name := range releaseFields {
			names[name] = true
		}
	}
	for release, want := range newerFields {
		t.Run(release, func(t *testing.T) {
			source := New(1).ForRelease(release)
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
				t.Errorf("fields (-want +got):\n%s", diff)
			}
		})
	}
}
