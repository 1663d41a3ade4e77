//go:build e2e

package cluster

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"

	"github.com/claimbridge/claimbridge/test/testkit/await"
	"github.com/claimbridge/claimbridge/test/testkit/must"
)

// etcdResponse is the response to a range request. Keys and values are base64.
type etcdResponse struct {
	KVs []struct {
		Key, Value []byte
		Revision   string `json:"mod_revision"`
	}
}

// etcd sends a request to the JSON gateway of etcd: range or put.
func (p *plane) etcd(t *testing.T, call string, request map[string][]byte) (result etcdResponse) {
	t.Helper()
	url := p.Etcd() + "/v3/kv/" + call
	//nolint:noctx // the test starts this etcd
	response := must.Get(http.Post(url, "application/json", bytes.NewReader(encode(t, request))))(t)
	defer func() { _ = response.Body.Close() }()
	if response.StatusCode != http.StatusOK {
		t.Fatalf("etcd: %s: %s", call, response.Status)
	}
	must.Do(t, json.NewDecoder(response.Body).Decode(&result))
	return result
}

// prefix returns the prefix of the keys of a kind. end is the first key after them.
func (p *plane) prefix(kind string) (prefix, end []byte) {
	folder := "/registry/" + p.group + "/" + plurals[kind]
	return []byte(folder + "/"), []byte(folder + "0") // the character after a slash
}

func (s space) key(kind, name string) []byte {
	prefix, _ := s.prefix(kind)
	return append(prefix, s.namespace+"/"+name...)
}

// storedClaim is a claim in etcd, and the revision of its last write.
type storedClaim struct {
	*object
	revision string
}

// version returns the version in which it is stored, or "" if it does not exist.
func (k storedClaim) version() string {
	if k.object == nil {
		return ""
	}
	return k.GroupVersionKind().Version
}

// claimsInEtcd returns the claims of the group by their names, from etcd.
func (p *plane) claimsInEtcd(t *testing.T) map[string]storedClaim {
	t.Helper()
	prefix, end := p.prefix(claimKind)
	claims := map[string]storedClaim{}
	for _, kv := range p.etcd(t, "range", map[string][]byte{"key": prefix, "range_end": end}).KVs {
		o := &object{}
		must.Do(t, o.UnmarshalJSON(kv.Value))
		claims[o.GetName()] = storedClaim{o, kv.Revision}
	}
	return claims
}

// putInEtcd stores an object directly in etcd, without the API server.
func (s space) putInEtcd(t *testing.T, o *object) {
	t.Helper()
	value := must.Get(o.MarshalJSON())(t)
	s.etcd(t, "put", map[string][]byte{"key": s.key(o.GetKind(), o.GetName()), "value": value})
}

var definitions = schema.GroupVersionResource{
	Group: "apiextensions.k8s.io", Version: "v1", Resource: "customresourcedefinitions",
}

// setStorageVersion selects the version in which later writes are stored.
func (s space) setStorageVersion(t *testing.T, version string) {
	t.Helper()
	for _, plural := range plurals {
		crd, err := s.client.Resource(definitions).Get(t.Context(), plural+"."+s.group, metav1.GetOptions{})
		if err != nil {
			t.Fatal(err)
		}
		var patch []string
		for i, v := range nested(crd, "spec", "versions").([]any) {
			patch = append(patch,
				fmt.Sprintf(`{"op":"replace","path":"/spec/versions/%d/storage","value":%t}`, i,
					v.(map[string]any)["name"] == version))
		}
		_, err = s.client.Resource(definitions).Patch(t.Context(), crd.GetName(), types.JSONPatchType,
			[]byte("["+strings.Join(patch, ",")+"]"), metav1.PatchOptions{})
		if err != nil {
			t.Fatal(err)
		}
	}
	await.NoError(t, "storage version "+version, func() error {
		probe := s.create(t, s.typicalObject(t, stored, claimKind, "probe"))
		got := s.claimsInEtcd(t)[probe.GetName()].version()
		if err := s.claims(stored).Delete(t.Context(), probe.GetName(), metav1.DeleteOptions{}); err != nil {
			return err
		}
		if got != version {
			return fmt.Errorf("a new claim was stored in %s", got)
		}
		return nil
	})
}
