package conversion

import (
	"bytes"
	"encoding/json"
	"maps"
	"testing"

	"github.com/claimbridge/claimbridge/api"
	"github.com/claimbridge/claimbridge/internal/objectjson"
	"github.com/claimbridge/claimbridge/test/objects"
	"github.com/claimbridge/claimbridge/test/testkit/must"
)

// anObject has the members that cases omit.
const anObject = `{"metadata":{"name":"a","uid":"u"}}`

func claimOf(version string, members objects.JSON) []byte {
	return objectOf(version, api.KindClaim, anObject, members)
}

// objectOf returns an object of a version with these members and default ones.
func objectOf(version, kind string, others, members objects.JSON) []byte {
	all := map[string]json.RawMessage{
		"apiVersion": objectjson.Quote(objects.Group + "/" + version),
		"kind":       objectjson.Quote(kind),
	}
	for _, text := range []objects.JSON{others, members} {
		var more map[string]json.RawMessage
		if err := json.Unmarshal([]byte(text), &more); err != nil {
			panic(err)
		}
		maps.Copy(all, more)
	}
	return encode(all)
}

// same reports whether objects are equal in any order of members. Golden files and examples check the order.
func same(t *testing.T, got, want []byte) {
	t.Helper()
	if !bytes.Equal(objectjson.CanonicalWithDigits(got), objectjson.CanonicalWithDigits(want)) {
		t.Errorf("\n got %s\nwant %s", got, want)
	}
}

func converted(t *testing.T, object []byte, to string, o Options) ([]byte, Report) {
	t.Helper()
	out, report := must.Get2(ConvertJSON(object, to, o))(t)
	return out, report
}
