package api_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"

	"github.com/claimbridge/claimbridge/api"
	"github.com/claimbridge/claimbridge/test/testkit/must"
)

// forEachSchema calls a function for each field of each version of each kind.
func forEachSchema(t *testing.T, each func(kind, version, path string, schema *apiextensions.JSONSchemaProps)) {
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
				if props.AdditionalProperties != nil && props.AdditionalProperties.Schema != nil {
					walk(path+"{}", props.AdditionalProperties.Schema)
				}
			}
			walk("", props)
		}
	}
}

// Upstream's lists are atomic, except for these, which several clients write with server-side apply. Upstream,
// status.devices of v1beta1 and later is a map by driver, device, pool and shareID. The keys of a list are required in
// a custom resource, so it is atomic here.
func TestListsHaveUpstreamsListTypes(t *testing.T) {
	got := map[string]string{}
	forEachSchema(t, func(kind, version, path string, schema *apiextensions.JSONSchemaProps) {
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
		"v1alpha1 ResourceClaim status.reservedFor":          "map[uid]",
		"v1alpha2 ResourceClaim status.reservedFor":          "map[uid]",
		"v1alpha3 ResourceClaim status.reservedFor":          "map[uid]",
		"v1alpha3 ResourceClaim status.devices":              "map[driver device pool]",
		"v1alpha3 ResourceClaim status.devices[].conditions": "map[type]",
	}
	for _, v := range api.Versions() {
		if v.Lossless {
			want[v.Name+" ResourceClaim status.reservedFor"] = "map[uid]"
			want[v.Name+" ResourceClaim status.devices[].conditions"] = "map[type]"
			want[v.Name+" ResourceClaim status.allocation.devices.results[].skipNodeOperations"] = "set[]"
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("lists that are not atomic (-want +got):\n%s", diff)
	}
}

func TestSchemasAreNotStricterByMarkers(t *testing.T) {
	var defaults []string
	forEachSchema(t, func(kind, version, path string, schema *apiextensions.JSONSchemaProps) {
		at := version + " " + kind + " " + path
		if schema.Nullable {
			t.Errorf("%s is nullable: the API server drops null where it is not, as upstream's decoder does", at)
		}
		if schema.MaxLength != nil || schema.MinLength != nil || schema.Maximum != nil || schema.Minimum != nil {
			t.Errorf("%s has a length or a limit: validation rules check those", at)
		}
		if schema.Pattern != "" && !schema.XIntOrString { // a quantity's says what can be decoded as one
			t.Errorf("%s has a pattern: validation rules check it", at)
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
	}
	// The schema sets a mode where alternatives are not possible. Otherwise the conversion sets it.
	for _, v := range api.Versions() {
		version, exactly := v.Name, map[bool]string{true: ".exactly"}[v.Exactly]
		if !v.Devices {
			continue
		}
		for _, spec := range []string{"ResourceClaim spec", "ResourceClaimTemplate spec.spec"} {
			requests := version + " " + spec + ".devices.requests[]"
			want = append(want, requests+".firstAvailable[].allocationMode: ExactCount",
				requests+".firstAvailable[].tolerations[].operator: Equal",
				requests+exactly+".tolerations[].operator: Equal")
			if exactly != "" {
				want = append(want, requests+exactly+".allocationMode: ExactCount")
			}
		}
		want = append(want, version+" ResourceClaim status.allocation.devices.results[].tolerations[].operator: Equal")
	}
	slices.Sort(want)
	slices.Sort(defaults)
	if diff := cmp.Diff(want, defaults); diff != "" {
		t.Errorf("defaults (-want +got):\n%s", diff)
	}
}

// Scripts find columns of a table by name. The columns are those of the release's own API server, except for State,
// which no JSON path can compute. Driver and ReservedFor contain the same information.
func TestTablesHaveUpstreamsColumns(t *testing.T) {
	claim := []string{"ResourceClassName", "AllocationMode", "Driver", "ReservedFor", "Deallocating", "Age"}
	template := []string{"ResourceClassName", "AllocationMode", "Age"}
	want := map[string][]string{
		"v1alpha1 ResourceClaim": claim, "v1alpha1 ResourceClaimTemplate": template,
		"v1alpha2 ResourceClaim": claim, "v1alpha2 ResourceClaimTemplate": template,
	}
	for _, v := range api.Versions() {
		if v.Devices {
			want[v.Name+" ResourceClaim"] = []string{
				"DeviceClassName", "Driver", "ReservedFor", "Pool", "Device", "Deallocating", "Age",
			}
			want[v.Name+" ResourceClaimTemplate"] = []string{"DeviceClassName", "Age"}
		}
	}
	got := map[string][]string{}
	for kind := range crdFiles {
		crd := readCRD(t, kind)
		for _, version := range crd.Spec.Versions {
			columns := must.Get(apiextensions.GetColumnsForVersion(crd, version.Name))(t)
			for _, column := range columns {
				got[version.Name+" "+kind] = append(got[version.Name+" "+kind], column.Name)
			}
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("columns (-want +got):\n%s", diff)
	}
}

// v1beta2 equals v1, and v1beta1 differs only in requests. A limit that only one of them has would be a mistake.
func TestLaterVersionsHaveOneSchema(t *testing.T) {
	for kind := range crdFiles {
		of := func(version string) map[string]apiextensions.JSONSchemaProps {
			_, props := structural(t, kind, version)
			spec := props
			if kind == api.KindTemplate {
				spec = new(props.Properties["spec"])
			}
			requests := spec.Properties["spec"].Properties["devices"].Properties["requests"]
			all := map[string]apiextensions.JSONSchemaProps{"requests": requests}
			for name, property := range requests.Items.Schema.Properties {
				all["request."+name] = property
			}
			for name, property := range requests.Items.Schema.Properties["exactly"].Properties {
				all["request."+name] = property
			}
			delete(spec.Properties["spec"].Properties["devices"].Properties, "requests")
			all["all but requests"] = *props
			return all
		}
		v1, v1beta1, v1beta2 := of("v1"), of("v1beta1"), of("v1beta2")
		if diff := cmp.Diff(v1, v1beta2, cmp.FilterPath(isDescription, cmp.Ignore())); diff != "" {
			t.Errorf("%s: schemas (-v1 +v1beta2):\n%s", kind, diff)
		}
		delete(v1, "requests")
		delete(v1, "request.exactly")
		delete(v1beta1, "requests")
		mode := v1["request.allocationMode"]
		mode.Default = nil // a request of v1beta1 that has alternatives has no mode
		v1["request.allocationMode"] = mode
		if diff := cmp.Diff(v1, v1beta1, cmp.FilterPath(isDescription, cmp.Ignore())); diff != "" {
			t.Errorf("%s: schemas (-v1 +v1beta1):\n%s", kind, diff)
		}
	}
}

func isDescription(p cmp.Path) bool {
	field, ok := p.Last().(cmp.StructField)
	return ok && field.Name() == "Description"
}
