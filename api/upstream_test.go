package api_test

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	upstreamv1 "k8s.io/api/resource/v1"
	upstreamv1beta1 "k8s.io/api/resource/v1beta1"
	upstreamv1beta2 "k8s.io/api/resource/v1beta2"

	v1 "github.com/claimbridge/claimbridge/api/v1"
	"github.com/claimbridge/claimbridge/api/v1beta1"
	"github.com/claimbridge/claimbridge/api/v1beta2"
)

// differences are the intended differences from upstream's types, by type and field. All other fields have upstream's
// Go name, JSON name and type.
var differences = map[string]string{
	"ResourceClaimStatus.ClaimbridgeDeallocationRequested": "a field of claimbridge",
}

// The types are those of the release in go.mod, except that empty fields are omitted.
func TestTypesMatchUpstream(t *testing.T) {
	met := map[string]bool{}
	for version, pair := range map[string][2][]any{
		"v1": {
			{v1.ResourceClaim{}, v1.ResourceClaimTemplate{}},
			{upstreamv1.ResourceClaim{}, upstreamv1.ResourceClaimTemplate{}},
		},
		"v1beta1": {
			{v1beta1.ResourceClaim{}, v1beta1.ResourceClaimTemplate{}},
			{upstreamv1beta1.ResourceClaim{}, upstreamv1beta1.ResourceClaimTemplate{}},
		},
		"v1beta2": {
			{v1beta2.ResourceClaim{}, v1beta2.ResourceClaimTemplate{}},
			{upstreamv1beta2.ResourceClaim{}, upstreamv1beta2.ResourceClaimTemplate{}},
		},
	} {
		compared := map[reflect.Type]bool{}
		for i := range pair[0] {
			compare(t, version, reflect.TypeOf(pair[0][i]), reflect.TypeOf(pair[1][i]), compared, met)
		}
		if len(compared) < 15 {
			t.Errorf("%s: only %d types were compared", version, len(compared))
		}
	}
	for field := range differences {
		if !met[field] {
			t.Errorf("%s has no difference any more", field)
		}
	}
}

func compare(t *testing.T, version string, ours, theirs reflect.Type, compared map[reflect.Type]bool,
	met map[string]bool,
) {
	t.Helper()
	for ours.Kind() == theirs.Kind() && slices.Contains([]reflect.Kind{reflect.Pointer, reflect.Slice, reflect.Map},
		ours.Kind()) {
		if ours.Kind() == reflect.Map {
			compare(t, version, ours.Key(), theirs.Key(), compared, met)
		}
		ours, theirs = ours.Elem(), theirs.Elem()
	}
	if ours.Kind() != theirs.Kind() || ours.Name() != theirs.Name() {
		t.Errorf("%s: %v is %v upstream", version, ours, theirs)
		return
	}
	if ours.Kind() != reflect.Struct || ours == theirs || compared[ours] {
		return // a type of apimachinery is the same one
	}
	compared[ours] = true
	for field := range ours.Fields() {
		if _, found := theirs.FieldByName(field.Name); !found {
			at := ours.Name() + "." + field.Name
			if met[at] = true; differences[at] == "" {
				t.Errorf("%s: upstream has no %s", version, at)
			}
		}
	}
	for field := range theirs.Fields() {
		of, found := ours.FieldByName(field.Name)
		if !found {
			t.Errorf("%s: %s.%s is missing", version, ours.Name(), field.Name)
			continue
		}
		is, _, _ := strings.Cut(of.Tag.Get("json"), ",")
		want, options, _ := strings.Cut(field.Tag.Get("json"), ",")
		if is != want {
			t.Errorf("%s: %s.%s is %q in JSON, and %q upstream", version, ours.Name(), field.Name, is, want)
		}
		if strings.Contains(options, "omit") && !strings.Contains(of.Tag.Get("json"), "omit") {
			t.Errorf("%s: %s.%s is written when it is empty", version, ours.Name(), field.Name)
		}
		compare(t, version, of.Type, field.Type, compared, met)
	}
}
