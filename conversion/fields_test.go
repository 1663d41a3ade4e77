package conversion

import (
	"fmt"
	"reflect"
	"testing"

	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/claimbridge/claimbridge/api"
	v1 "github.com/claimbridge/claimbridge/api/v1"
	"github.com/claimbridge/claimbridge/api/v1alpha1"
	"github.com/claimbridge/claimbridge/api/v1alpha2"
	"github.com/claimbridge/claimbridge/api/v1alpha3"
	"github.com/claimbridge/claimbridge/api/v1beta1"
	"github.com/claimbridge/claimbridge/api/v1beta2"
)

// Every field is spoken for: with a value in every leaf of spec and status, each leaf comes back, so each arrived or
// was left over. A field that is added to the types fails here until a step knows it.
func TestEveryFieldIsSpokenFor(t *testing.T) {
	for _, from := range []any{&v1alpha1.ResourceClaim{}, &v1alpha2.ResourceClaim{}, &v1alpha3.ResourceClaim{},
		&v1beta1.ResourceClaim{}, &v1beta2.ResourceClaim{}, &v1.ResourceClaim{}} {
		for _, variant := range []string{"data", "structured"} {
			n := 0
			fill(reflect.ValueOf(from).Elem().FieldByName("Spec"), &n)
			fill(reflect.ValueOf(from).Elem().FieldByName("Status"), &n)
			object := from.(runtime.Object)
			meta := metaOf(object)
			*meta = metav1.ObjectMeta{Name: "a", UID: "u"}
			version, kind, _ := api.TypeOf(object)
			object.GetObjectKind().SetGroupVersionKind(v1alpha1.GroupVersion.WithKind(kind))
			reflect.ValueOf(from).Elem().FieldByName("APIVersion").SetString("resource.k8s.io/" + version)
			switch o := object.(type) { // what no valid object has at once
			case *v1alpha1.ResourceClaim:
				o.Status.ClaimbridgeLeftover = ""
			case *v1alpha2.ResourceClaim:
				o.Status.ClaimbridgeLeftover = ""
				for i := range o.Status.Allocation.ResourceHandles {
					if variant == "data" {
						o.Status.Allocation.ResourceHandles[i].StructuredData = nil
					} else {
						o.Status.Allocation.ResourceHandles[i].Data = ""
					}
				}
			case *v1alpha3.ResourceClaim:
				o.Status.ClaimbridgeLeftover = ""
				for i := range o.Status.Allocation.Devices.Config {
					o.Status.Allocation.Devices.Config[i].Source = v1alpha3.AllocationConfigSourceClaim
				}
			}
			if status := laterStatus(object); status != nil {
				for i := range status.Allocation.Devices.Config {
					status.Allocation.Devices.Config[i].Source = v1.AllocationConfigSourceClaim
				}
			}
			data := encode(object)
			for _, to := range Versions() {
				t.Run(fmt.Sprintf("%s to %s with %s", version, to, variant), func(t *testing.T) {
					c := &lawCase{T: t, kind: kind, from: version, to: to, object: data, options: Options{Strict: true}}
					c.try(thereAndBackIsTheIdentity, 0)
				})
			}
		}
	}
}

// fill sets every leaf to something that is not zero, lists to two elements. Strings are DNS labels of their own.
func fill(v reflect.Value, n *int) {
	*n++
	switch v.Kind() {
	case reflect.String:
		v.SetString(fmt.Sprintf("s%d", *n))
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Int64:
		v.SetInt(int64(*n))
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fill(v.Elem(), n)
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 2, 2))
		fill(v.Index(0), n)
		fill(v.Index(1), n)
	case reflect.Map:
		v.Set(reflect.MakeMap(v.Type()))
		for range 2 {
			key, value := reflect.New(v.Type().Key()).Elem(), reflect.New(v.Type().Elem()).Elem()
			fill(key, n)
			fill(value, n)
			v.SetMapIndex(key, value)
		}
	case reflect.Struct:
		if raw, ok := v.Addr().Interface().(*runtime.RawExtension); ok {
			raw.Raw = fmt.Appendf(nil, `{"n":%d}`, *n)
			return
		}
		if q, ok := v.Addr().Interface().(*resource.Quantity); ok {
			*q = *resource.NewQuantity(int64(*n), resource.DecimalSI)
			return
		}
		if at, ok := v.Addr().Interface().(*metav1.Time); ok {
			*at = metav1.Unix(int64(*n), 0)
			return
		}
		for i := range v.NumField() {
			fill(v.Field(i), n)
		}
	default:
		panic("conversion: a field of kind " + v.Kind().String() + " that no test fills")
	}
}
