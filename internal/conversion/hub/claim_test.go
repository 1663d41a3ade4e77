package hub

import "testing"

// A version that this package does not know is an error, and not v1.
func TestUnknownVersions(t *testing.T) {
	const unknown = "v2"
	if claim, _, err := Read(unknown, nil, nil); err == nil {
		t.Errorf("Read returned %T", claim)
	}
	for _, claim := range []Claim{&V1alpha1{}, &V1alpha2{}, &V1alpha3{}, &V1beta1{}, &V1beta2{}, &V1{}} {
		if converted, err := Convert(claim, unknown, Options{}); err == nil {
			t.Errorf("Convert of %T returned %T", claim, converted)
		}
	}
}
