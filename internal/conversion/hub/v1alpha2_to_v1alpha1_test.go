package hub

import (
	"testing"

	"github.com/claimbridge/claimbridge/api/v1alpha2"
)

func TestResourceHandleIsThatOfTheDriver(t *testing.T) {
	structured := v1alpha2.ResourceHandle{DriverName: "d", StructuredData: &v1alpha2.StructuredResourceHandle{}}
	mine := v1alpha2.ResourceHandle{DriverName: "d", Data: "x"}
	other := v1alpha2.ResourceHandle{DriverName: "e", Data: "y"}
	nobodys := v1alpha2.ResourceHandle{Data: "z"}
	for name, test := range map[string]struct {
		handles []v1alpha2.ResourceHandle
		want    string
	}{
		"its own":                 {[]v1alpha2.ResourceHandle{mine}, "x"},
		"its own behind another":  {[]v1alpha2.ResourceHandle{other, mine}, "x"},
		"behind structured data":  {[]v1alpha2.ResourceHandle{structured, mine}, "x"},
		"another's":               {[]v1alpha2.ResourceHandle{other}, ""},
		"nobody's alone":          {[]v1alpha2.ResourceHandle{nobodys}, "z"},
		"nobody's beside another": {[]v1alpha2.ResourceHandle{nobodys, mine}, "x"},
	} {
		if got := handleOfDriver("d", test.handles); got != test.want {
			t.Errorf("%s: %q", name, got)
		}
	}
}
