package api_test

import (
	"cmp"
	"encoding/json"
	"slices"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/claimbridge/claimbridge/api"
	"github.com/claimbridge/claimbridge/test/objects"
	"github.com/claimbridge/claimbridge/test/testkit/must"
)

// A row of the table has everything that a new version needs. The errors name what is missing.
func TestEveryVersionHasACompleteRow(t *testing.T) {
	for _, v := range api.Versions() {
		if v.AddToScheme == nil || v.SetDefaults == nil {
			t.Errorf("%s has no AddToScheme or no SetDefaults in api/versions.go: write both in api/%[1]s, and name "+
				"them in its row",
				v.Name)
			continue
		}
		if !slices.Contains(v.ServingReleases(), v.Release) {
			t.Errorf("%s has the rules of Kubernetes %q, which is not among the releases that serve it, %q", v.Name,
				v.Release, v.ServingReleases())
		}
		if v.RemovedIn == "" && api.Minor(v.Since) < api.Minor(api.Stored().Since) {
			t.Errorf("%s has no release that removes it", v.Name)
		}
		for _, kind := range []string{api.KindClaim, api.KindTemplate} {
			object := api.New(v.Name, kind)
			if object == nil || api.NewList(v.Name, kind) == nil {
				t.Errorf("AddToScheme of %s does not register %s and its list", v.Name, kind)
				continue
			}
			if version, of, known := api.TypeOf(object); !known || version != v.Name || of != kind {
				t.Errorf("the type of a %s in %s is recognized as %s in %s", kind, v.Name, of, version)
			}
			v.SetDefaults(object) // there may be none for an empty one
		}
	}
}

func TestReleasesServeVersionsFromTheirFirstToTheirLast(t *testing.T) {
	for release, want := range map[string][]string{
		"1.25": nil,
		"1.26": {"v1alpha1"},
		"1.27": {"v1alpha2"},
		"1.30": {"v1alpha2"},
		"1.31": {"v1alpha3"},
		"1.32": {"v1alpha3", "v1beta1"},
		"1.33": {"v1alpha3", "v1beta1", "v1beta2"}, "1.34": {"v1beta1", "v1beta2", "v1"},
	} {
		r, _ := api.FindRelease(release)
		var got []string
		for _, v := range api.Versions() {
			if r.Serves(v) {
				got = append(got, v.Name)
			}
			if slices.Contains(v.ServingReleases(), release) != r.Serves(v) {
				t.Errorf("%s and the list of releases that serve it disagree about %s", v.Name, release)
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s serves %q, want %q", release, got, want)
		}
	}
}

func TestDefaultsMatchTheRelease(t *testing.T) {
	for name, test := range objects.Cases[struct {
		Version    string
		Spec, Want objects.JSON
	}](t, "testdata/defaults.yaml") {
		t.Run(name, func(t *testing.T) {
			version, _ := api.Find(test.Version)
			for kind, around := range map[string][2]string{
				api.KindClaim:    {`{"spec":`, `}`},
				api.KindTemplate: {`{"spec":{"spec":`, `}}`},
			} {
				got, want := api.New(test.Version, kind), api.New(test.Version, kind)
				decodeInto(t, around[0]+string(test.Spec)+around[1], got)
				decodeInto(t, around[0]+string(cmp.Or(test.Want, test.Spec))+around[1], want)
				version.SetDefaults(got)
				if diff := gocmp.Diff(want, got); diff != "" {
					t.Errorf("%s (-want +got):\n%s", kind, diff)
				}
			}
		})
	}
}

// In a status, only the tolerations of results have a default.
func TestDefaultsOfAStatus(t *testing.T) {
	for _, v := range api.Versions() {
		if !v.Devices {
			continue
		}
		got, want := api.New(v.Name, api.KindClaim), api.New(v.Name, api.KindClaim)
		decodeInto(t,
			`{"status":{"allocation":{"devices":{"results":[{"request":"a","tolerations":[{"key":"a"},`+
				`{"operator":"Exists"}]}]}}}}`,
			got)
		decodeInto(t,
			`{"status":{"allocation":{"devices":{"results":[{"request":"a","tolerations":[{"key":"a",`+
				`"operator":"Equal"},{"operator":"Exists"}]}]}}}}`,
			want)
		v.SetDefaults(got)
		if diff := gocmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", v.Name, diff)
		}
	}
}

func decodeInto(t *testing.T, object string, into any) {
	t.Helper()
	must.Do(t, json.Unmarshal([]byte(object), into))
}

func TestUnknownVersionsAndKinds(t *testing.T) {
	if api.New("v2", api.KindClaim) != nil || api.New("v1alpha1", "ListOptions") != nil ||
		api.NewList("v1alpha1", "APIResource") != nil {
		t.Error("objects of versions or kinds that are not in the table")
	}
	untyped := &unstructured.Unstructured{}
	untyped.SetAPIVersion("resource.k8s.io/v1alpha1")
	untyped.SetKind(api.KindClaim)
	for name, object := range map[string]runtime.Object{
		"nothing":                 nil,
		"an object without types": untyped,
		"a type of every group":   &metav1.ListOptions{},
		"a list":                  api.NewList("v1alpha1", api.KindClaim),
	} {
		if version, kind, known := api.TypeOf(object); known {
			t.Errorf("%s is recognized as a %s of %s", name, kind, version)
		}
	}
	if _, known := api.Find("v2"); known {
		t.Error("v2 is not in the table")
	}
}

// Only a provisional release has uncertain gates, and an uncertain gate is off in every release.
func TestUncertainGatesAreOff(t *testing.T) {
	for _, r := range api.Releases() {
		if r.Provisional == "" && len(r.UncertainGates) > 0 {
			t.Errorf("%s is not provisional, and has the uncertain gates %v", r.Name, r.UncertainGates)
		}
		for _, f := range api.Fields() {
			isOff := f.OffSince != "" && (f.OnSince == "" || api.Minor(r.Name) < api.Minor(f.OnSince))
			if slices.Contains(r.UncertainGates, f.Gate) && !isOff {
				t.Errorf("%s: the gate %s of %s is on in %s, so it is not uncertain", r.Name, f.Gate, f.Path, f.OnSince)
			}
		}
	}
}
