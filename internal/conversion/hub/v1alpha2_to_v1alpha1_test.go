package hub

import (
	"testing"

	"github.com/claimbridge/claimbridge/api/v1alpha2"
)

func TestResourceHandleIsThatOfTheDriver(t *testing.T) {
	structured := v1alpha2.ResourceHandle{DriverName: "d", StructuredData: &v1alpha2.StructuredResourceHandle{}}
	mine := v1alpha2.ResourceHandle{DriverName: "d", Data: "x"}
	other := v1alpha2.ResourceHandle{DriverName: "e", Data: "y"}
	unnamed := v1alpha2.ResourceHandle{Data: "z"}
	for name, test := range map[string]struct {
		handles []v1alpha2.ResourceHandle
		want    string
	}{
		"its own":                          {[]v1alpha2.ResourceHandle{mine}, "x"},
		"its own after another":            {[]v1alpha2.ResourceHandle{other, mine}, "x"},
		"after structured data":            {[]v1alpha2.ResourceHandle{structured, mine}, "x"},
		"of another driver":                {[]v1alpha2.ResourceHandle{other}, ""},
		"without a driver":                 {[]v1alpha2.ResourceHandle{unnamed}, "z"},
		"without a driver, before its own": {[]v1alpha2.ResourceHandle{unnamed, mine}, "x"},
	} {
		if got := handleOfDriver("d", test.handles); got != test.want {
			t.Errorf("%s: got %q, want %q", name, got, test.want)
		}
	}
}
