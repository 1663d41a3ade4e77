package migrate

import (
	"fmt"
	"strings"
	"testing"

	"github.com/claimbridge/claimbridge/api"
	"github.com/claimbridge/claimbridge/internal/release"
	"github.com/claimbridge/claimbridge/internal/yamldoc"
)

func TestLimitsApplyToEveryVersion(t *testing.T) {
	entry := fmt.Sprintf(`{"opaque":{"driver":"a.b","parameters":{"a":%q}}}`, strings.Repeat("x", maxParameters))
	spec := `"spec":{"devices":{"config":[` + entry + `]}}`
	kinds := map[string]string{
		api.KindClaim:    spec + `,"status":{"allocation":{"devices":{"config":[` + entry + `]}}}`,
		api.KindTemplate: `"spec":{` + spec + `}`,
	}
	for _, v := range api.Versions() {
		for kind, says := range kinds {
			object := fmt.Sprintf(`{"apiVersion":"%s/%s","kind":%q,%s}`, api.Group, v.Name, kind, says)
			got := New(Options{To: release.Target{Version: v.Name}}).oversizedConfigFindings(&claimConversion{
				location: location{document: &yamldoc.Document{}}, converted: []byte(object),
			})
			if v.Lossless != (len(got) == strings.Count(says, "opaque")) {
				t.Errorf("%s of %s: %v", kind, v.Name, got)
			}
		}
	}
}
