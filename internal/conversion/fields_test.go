package conversion

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/claimbridge/claimbridge/api"
	v1 "github.com/claimbridge/claimbridge/api/v1"
	"github.com/claimbridge/claimbridge/api/v1alpha2"
	"github.com/claimbridge/claimbridge/api/v1alpha3"
	"github.com/claimbridge/claimbridge/test/objects"
)

// With a value in every leaf of spec and status, each leaf round-trips, so it was converted or preserved. A new field
// fails this test until the conversion has it.
func TestEveryFieldRoundTrips(t *testing.T) {
	for _, version := range Versions() {
		for _, variant := range variants {
			data := filled(api.New(version, api.KindClaim), variant)
			for _, to := range Versions() {
				t.Run(fmt.Sprintf("%s to %s with %s", version, to, variant), func(t *testing.T) {
					c := &propertyCase{
						T: t, kind: api.KindClaim, from: version, to: to, object: data,
						options: Options{Strict: true},
					}
					c.try(roundTripIsIdentity, 0)
				})
			}
		}
	}
}

// variants are fields that a valid object cannot have at the same time.
var variants = []string{"data", "structured"}

// filled returns a claim with a value in every leaf of spec and status, except for fields that exclude each other.
func filled(object runtime.Object, variant string) []byte {
	n := 0
	claim := reflect.ValueOf(object).Elem()
	objects.Fill(claim.FieldByName("Spec"), &n)
	objects.Fill(claim.FieldByName("Status"), &n)
	setIdentity(object)
	removePreservedField(object)
	if o, ok := object.(*v1alpha2.ResourceClaim); ok {
		for i := range o.Status.Allocation.ResourceHandles {
			if variant == "data" {
				o.Status.Allocation.ResourceHandles[i].StructuredData = nil
			} else {
				o.Status.Allocation.ResourceHandles[i].Data = ""
			}
		}
	}
	return encode(object)
}

// setIdentity sets the apiVersion, the kind, the name and the uid of a claim. It also sets the source of the
// configuration of its allocation, so that none looks like an entry of claimbridge.
func setIdentity(claim runtime.Object) {
	version, kind, _ := api.TypeOf(claim)
	claim.GetObjectKind().SetGroupVersionKind(schema.GroupVersionKind{Group: api.Group, Version: version, Kind: kind})
	*metaOf(claim) = metav1.ObjectMeta{Name: "a", UID: "u"}
	var config []v1.DeviceAllocationConfiguration
	if o, ok := claim.(*v1alpha3.ResourceClaim); ok && o.Status.Allocation != nil {
		config = o.Status.Allocation.Devices.Config
	} else if status := part[v1.ResourceClaimStatus](claim, "Status"); status != nil && status.Allocation != nil {
		config = status.Allocation.Devices.Config
	}
	for i := range config {
		config[i].Source = v1.AllocationConfigSourceClaim
	}
}

// Each field round-trips alone, with only the fields that identify requests and devices. So the check whether data must
// be preserved covers each field. Versions without devices preserve a whole spec, which must be valid.
func TestEachFieldAloneRoundTrips(t *testing.T) {
	withDevices := slices.DeleteFunc(Versions(), func(version string) bool { return !api.HasDevices(version) })
	for _, version := range withDevices {
		leaves := 0
		for path, claim := range objects.EachLeaf(reflect.TypeOf(api.New(version, api.KindClaim)).Elem()) {
			part, _, _ := strings.Cut(path, ".")
			if part != "spec" && part != "status" || strings.Contains(path, "claimbridge") {
				continue
			}
			leaves++
			object := claim.Addr().Interface().(runtime.Object)
			identify(claim.FieldByName("Spec"))
			identify(claim.FieldByName("Status"))
			setIdentity(object)
			for _, to := range withDevices {
				t.Run(fmt.Sprintf("%s to %s with %s", version, to, path), func(t *testing.T) {
					c := &propertyCase{
						T:       t,
						kind:    api.KindClaim,
						from:    version,
						to:      to,
						object:  encode(object),
						options: Options{Strict: true, OmitDefaults: true},
					}
					c.try(roundTripIsIdentity, 0)
				})
			}
		}
		if leaves < 40 {
			t.Errorf("%s has %d fields", version, leaves)
		}
	}
}

// identify names requests, alternatives and devices that have no identity.
func identify(v reflect.Value) {
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			identify(v.Elem())
		}
	case reflect.Slice:
		for i := range v.Len() {
			identify(v.Index(i))
		}
	case reflect.Struct:
		for i := range v.NumField() {
			switch name := v.Type().Field(i).Name; name {
			case "Name", "Request", "Driver", "Pool", "Device":
				if f := v.Field(i); f.Kind() == reflect.String && f.Len() == 0 {
					f.SetString(strings.ToLower(name))
				}
			default:
				if v.Type().Field(i).IsExported() {
					identify(v.Field(i))
				}
			}
		}
	}
}
