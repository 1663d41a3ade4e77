package api_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
)

// schemas calls a function for each field of each version of each kind.
func schemas(t *testing.T, each func(kind, version, path string, schema *apiextensions.JSONSchemaProps)) {
	t.Helper()
	for kind := range crdFiles {
		for _, version := range readCRD(t, kind).Spec.Versions {
			_, props := structural(t, kind, version.Name)
			var walk func(path string, props *apiextensions.JSONSchemaProps)
			walk = func(path string, props *apiextensions.JSONSchemaProps) {
				each(kind, version.Name, strings.TrimPrefix(path, "."), props)
				for name, property := range props.Properties {
					walk(path+"."+name, &property)
				}
				if props.Items != nil {
					walk(path+"[]", props.Items.Schema)
				}
			}
			walk("", props)
		}
	}
}

// Upstream's lists are atomic, but for one: on it server-side apply depends, and a driver's writes beside a scheduler's.
func TestListsAreOfUpstreamsTypes(t *testing.T) {
	got := map[string]string{}
	schemas(t, func(kind, version, path string, schema *apiextensions.JSONSchemaProps) {
		if schema.Type != "array" {
			return
		}
		if schema.XListType == nil {
			t.Errorf("%s %s %s has no list type", version, kind, path)
		} else if *schema.XListType != "atomic" {
			got[version+" "+kind+" "+path] = *schema.XListType + fmt.Sprint(schema.XListMapKeys)
		}
	})
	want := map[string]string{
		"v1alpha1 ResourceClaim status.reservedFor": "map[uid]",
		"v1alpha2 ResourceClaim status.reservedFor": "map[uid]",
		"v1alpha3 ResourceClaim status.reservedFor": "map[uid]",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("lists that are not atomic (-want +got):\n%s", diff)
	}
}

func TestSchemasAreNotStricterByMarkers(t *testing.T) {
	var defaults []string
	schemas(t, func(kind, version, path string, schema *apiextensions.JSONSchemaProps) {
		at := version + " " + kind + " " + path
		if schema.Nullable {
			t.Errorf("%s is nullable: the API server drops null where it is not, as upstream's decoder does", at)
		}
		if schema.MaxLength != nil || schema.MinLength != nil || schema.Pattern != "" {
			t.Errorf("%s has a length or a pattern: they are for rules", at)
		}
		if schema.Default != nil {
			defaults = append(defaults, fmt.Sprintf("%s: %v", at, *schema.Default))
		}
	})
	want := []string{
		"v1alpha1 ResourceClaim spec.allocationMode: WaitForFirstConsumer",
		"v1alpha1 ResourceClaimTemplate spec.spec.allocationMode: WaitForFirstConsumer",
		"v1alpha2 ResourceClaim spec.allocationMode: WaitForFirstConsumer",
		"v1alpha2 ResourceClaimTemplate spec.spec.allocationMode: WaitForFirstConsumer",
		"v1alpha3 ResourceClaim spec.devices.requests[].allocationMode: ExactCount",
		"v1alpha3 ResourceClaimTemplate spec.spec.devices.requests[].allocationMode: ExactCount",
	}
	slices.Sort(defaults)
	if diff := cmp.Diff(want, defaults); diff != "" {
		t.Errorf("defaults (-want +got):\n%s", diff)
	}
}

// Scripts read tables by the names of columns: those of the release's own API server are there, but for State, which no
// JSON path can compute; Driver and ReservedFor tell what it told.
func TestTablesHaveUpstreamsColumns(t *testing.T) {
	claim := []string{"ResourceClassName", "AllocationMode", "Driver", "ReservedFor", "Deallocating", "Age"}
	template := []string{"ResourceClassName", "AllocationMode", "Age"}
	want := map[string][]string{
		"v1alpha1 ResourceClaim": claim, "v1alpha1 ResourceClaimTemplate": template,
		"v1alpha2 ResourceClaim": claim, "v1alpha2 ResourceClaimTemplate": template,
		"v1alpha3 ResourceClaim":         {"DeviceClassName", "Driver", "ReservedFor", "Pool", "Device", "Deallocating", "Age"},
		"v1alpha3 ResourceClaimTemplate": {"DeviceClassName", "Age"},
	}
	got := map[string][]string{}
	for kind := range crdFiles {
		crd := readCRD(t, kind)
		for _, version := range crd.Spec.Versions {
			columns, err := apiextensions.GetColumnsForVersion(crd, version.Name)
			if err != nil {
				t.Fatal(err)
			}
			for _, column := range columns {
				got[version.Name+" "+kind] = append(got[version.Name+" "+kind], column.Name)
			}
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("columns (-want +got):\n%s", diff)
	}
}
