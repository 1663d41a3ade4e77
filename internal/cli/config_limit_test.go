package cli

import (
	"fmt"
	"strings"
	"testing"

	"github.com/claimbridge/claimbridge/internal/conversion"
)

// TestTooManyConfigEntriesAreReported converts claims with large resource handles. A claim of 1.30 may have 32 handles
// of 16 KiB. Each becomes three entries in v1, and Kubernetes accepts 64 entries, so this is an error. Without
// validation it is a warning, and the handles are restored in the reverse conversion. The CRDs of claimbridge have a
// higher limit.
func TestTooManyConfigEntriesAreReported(t *testing.T) {
	claim := func(group string, handles int) string {
		var list []string
		for range handles {
			list = append(list, fmt.Sprintf(`{"driverName":"gpu.example.com","data":"%s"}`, strings.Repeat("x", 16384)))
		}
		return `{"apiVersion":"` + group +
			`/v1alpha2","kind":"ResourceClaim","metadata":{"name":"a"},"spec":{"resourceClassName":"c"},` +
			`"status":{"driverName":"gpu.example.com","allocation":{"resourceHandles":[` + strings.Join(list,
			",") + `],"shareable":true}}}`
	}
	convert := func(object, to string, more ...string) (out, messages string, code int) {
		return claimbridge(t, object, append([]string{"convert", "--to", to, "-o", "json"}, more...)...)
	}
	const want = "status.allocation.devices.config: has 97 entries, and Kubernetes accepts 64; " +
		"97 of them preserve fields of older versions; let the driver deallocate the claim before the conversion"
	for name, test := range map[string]struct {
		object     string
		args       []string
		code       int
		isReported bool
	}{
		"too many":                      {claim("resource.k8s.io", 32), nil, exitFailed, true},
		"too many, without validation":  {claim("resource.k8s.io", 32), []string{"--validate=false"}, 0, true},
		"as many as Kubernetes accepts": {claim("resource.k8s.io", 21), nil, 0, false},
		"in the CRDs of claimbridge": {
			claim("claims.example.com", 32), []string{"--group=claims.example.com"}, 0, false,
		},
	} {
		t.Run(name, func(t *testing.T) {
			for _, to := range []string{"v1beta1", "v1"} {
				out, messages, code := convert(test.object, to, test.args...)
				if code != test.code || strings.Contains(messages, want) != test.isReported {
					t.Fatalf("to %s: exit code %d, %s", to, code, messages)
				}
				if code != 0 {
					continue
				}
				restored, messages, code := convert(out, "v1alpha2", test.args...)
				if code != 0 || !conversion.Equal([]byte(test.object), []byte(restored)) {
					t.Errorf("from %s: exit code %d, the restored claim differs: %s", to, code, messages)
				}
			}
			if _, messages, code := convert(test.object, "v1alpha3", test.args...); code != 0 {
				t.Errorf("to v1alpha3: exit code %d: %s", code, messages)
			}
		})
	}
}
