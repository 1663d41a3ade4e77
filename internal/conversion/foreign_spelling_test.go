package conversion

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/claimbridge/claimbridge/internal/objectjson"
	"github.com/claimbridge/claimbridge/test/testkit/must"
)

// Chunks in another spelling than this package writes are joined in an older version, and the reverse conversion would
// write fewer. A write that changes nothing keeps them, and all entries after them, through every version.
func TestChunksInAnotherSpellingAreKept(t *testing.T) {
	text := `{"pad":"` + strings.Repeat(`\u003c`, 11_000) + `"}`
	var entries []string
	entry := func(parameters string) string {
		return `{"opaque":{"driver":"claimbridge.dev","parameters":` + parameters + `}}`
	}
	const size = 7560
	chunks := (len(text) + size - 1) / size
	for chunk := range slices.Chunk([]byte(text), size) {
		entries = append(entries,
			entry(fmt.Sprintf(`{"apiVersion":"claimbridge.dev/v1","kind":"Part","of":"","part":%d,"parts":%d,"text":%q}`,
				len(entries), chunks, base64.StdEncoding.EncodeToString(chunk))))
	}
	entries = append(entries,
		entry(`{"apiVersion":"claimbridge.dev/v1","controller":"c.example.com","kind":"ControlPlaneClaim"}`),
		`{"opaque":{"driver":"gpu.example.com","parameters":{"a":1}}}`)
	stored := `{"apiVersion":"resource.k8s.io/v1","kind":"ResourceClaim","metadata":{"name":"a","uid":"u"},` +
		`"spec":{"devices":{"config":[` + strings.Join(entries, ",") +
		`],"constraints":[{"distinctAttribute":"a.example.com/b"}],` +
		`"requests":[{"exactly":{"allocationMode":"ExactCount","capacity":{"requests":{"memory":"1Gi"}},"count":1,` +
		`"deviceClassName":"c","tolerations":[{"effect":"None","operator":"Exists"}]},"name":"r"}]}}}`
	for _, version := range Versions() {
		copied, _ := converted(t, []byte(stored), version, Options{})
		labeled := strings.Replace(string(sortedAndEscaped(t, copied)), `"metadata":{`,
			`"metadata":{"labels":{"a":"b"},`, 1)
		restored, report := converted(t, []byte(labeled), Stored(), Options{Inspect: true})
		got, want := specText(t, restored), specText(t, []byte(stored))
		if !bytes.Equal(got, want) || len(report.Findings) > 0 {
			t.Errorf("through %s, found %v:\n got %s\nwant %s", version, report.Findings, clip(got), clip(want))
		}
	}
}

func specText(t *testing.T, object []byte) []byte {
	t.Helper()
	members, _ := must.Get2(objectjson.Members(object))(t)
	return objectjson.CanonicalWithDigits(objectjson.Get(members, "spec"))
}
