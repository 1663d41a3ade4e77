package kjson

import (
	"errors"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/api/resource"
)

// A quantity of ten bytes could keep a core busy for a minute.
func TestGreatQuantitiesAreNotRead(t *testing.T) {
	type holder struct {
		Requests map[string]resource.Quantity `json:"requests"`
		Each     []struct {
			More *resource.Quantity `json:"more"`
		} `json:"each"`
	}
	for text, read := range map[string]bool{
		`"10Gi"`: true, `"1e3"`: true, `"1e-999"`: true, `"5E"`: true, `"1Ei"`: true, `"123456789012345678"`: true, `17`: true, `1e3`: true,
		`"1000E"`: false, `"1000000000000000000000"`: false, `"999E"`: true, `"0.5"`: true, `"1500m"`: true, `"0"`: true, `"-3"`: true,
		`"1e-9999999"`: false, `"1E+1000"`: false, `"\u0031e-9999999"`: false, `1e-9999999`: false, `" 1Gi "`: true, `"1e-9999999 "`: false,
		`"` + strings.Repeat("1", 65) + `"`: false, strings.Repeat("1", 65): false, `"0.` + strings.Repeat("0", 64) + `1"`: false,
	} {
		for _, object := range []string{`{"requests":{"m":` + text + `}}`, `{"each":[{},{"more":` + text + `}]}`} {
			_, err := Decode([]byte(object), &holder{})
			if (err == nil) != read {
				t.Errorf("%s: %v", object, err)
			}
			var why *DecodeError
			if !read && (!errors.As(err, &why) || why.Field == "" || !strings.Contains(err.Error(), "is a quantity of ")) {
				t.Errorf("%s: %v", object, err)
			}
		}
	}
}
