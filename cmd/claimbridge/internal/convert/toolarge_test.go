package convert

import (
	"fmt"
	"strings"
	"testing"

	"github.com/claimbridge/claimbridge/api"
)

func TestTheConfigurationOfEveryVersionIsLookedAt(t *testing.T) {
	entry := fmt.Sprintf(`{"opaque":{"driver":"a.b","parameters":{"a":%q}}}`, strings.Repeat("x", maxParameters))
	spec := `"spec":{"devices":{"config":[` + entry + `]}}`
	kinds := map[string]string{
		api.KindClaim:    spec + `,"status":{"allocation":{"devices":{"config":[` + entry + `]}}}`,
		api.KindTemplate: `"spec":{` + spec + `}`,
	}
	for _, v := range api.Versions() {
		for kind, says := range kinds {
			want := strings.Count(says, "opaque")
			if !v.Native {
				want = 0
			}
			object := fmt.Sprintf(`{"apiVersion":"%s/%s","kind":%q,%s}`, api.Group, v.Name, kind, says)
			if got := tooLarge([]byte(object), v.Name); len(got) != want {
				t.Errorf("%s of %s: %v, want %d findings", kind, v.Name, got, want)
			}
		}
	}
}
