//go:build e2e

package preflight

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"testing"

	"github.com/claimbridge/claimbridge/test/testkit/must"
)

// store objects in etcd, past everybody who would refuse them, until the end of the test.
func (i *installation) store(t *testing.T, names []string, object string) {
	t.Helper()
	for _, name := range names {
		i.etcd(t, "put", map[string][]byte{"key": key(name), "value": fmt.Appendf(nil, object, name)})
	}
	t.Cleanup(func() {
		for _, name := range names {
			i.etcd(t, "deleterange", map[string][]byte{"key": key(name)})
		}
	})
}

func key(name string) []byte {
	return []byte("/registry/" + group + "/resourceclaims/default/" + name)
}

// etcd answers JSON, too, with bytes in base64.
func (i *installation) etcd(t *testing.T, verb string, request map[string][]byte) {
	t.Helper()
	body := must.Get(json.Marshal(request))(t)
	response := must.Get(http.Post(i.etcdURL+"/v3/kv/"+verb, "application/json", bytes.NewReader(body)))(t)
	_ = response.Body.Close()
	if response.StatusCode != http.StatusOK {
		t.Fatalf("etcd: %s", response.Status)
	}
}
