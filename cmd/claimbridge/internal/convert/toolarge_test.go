package convert

import (
	"reflect"
	"testing"

	"github.com/claimbridge/claimbridge/api"
	v1 "github.com/claimbridge/claimbridge/api/v1"
)

// A version whose configuration were of another type would pass whatever its size.
func TestTheConfigurationOfEveryVersionIsLookedAt(t *testing.T) {
	for _, v := range api.Versions() {
		if !v.Native {
			continue
		}
		spec := reflect.ValueOf(api.New(v.Name, api.KindClaim)).Elem().FieldByName("Spec")
		config := spec.FieldByName("Devices").FieldByName("Config")
		config.Set(reflect.MakeSlice(config.Type(), 1, 1))
		if got := specConfig(spec.Addr().Interface()); !reflect.DeepEqual(got, make([]v1.DeviceClaimConfiguration, 1)) {
			t.Errorf("%s: %v", v.Name, got)
		}
	}
}
