package cluster

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
)

var definitions = schema.GroupVersionResource{Group: "apiextensions.k8s.io", Version: "v1", Resource: "customresourcedefinitions"}

// inEtcd tells in which version each claim of the group is stored, by its name, from etcd itself.
func (p *plane) inEtcd(t *testing.T) map[string]string {
	t.Helper()
	prefix := "/registry/" + p.group + "/resourceclaims/"
	question, err := json.Marshal(map[string]string{
		"key":       base64.StdEncoding.EncodeToString([]byte(prefix)),
		"range_end": base64.StdEncoding.EncodeToString([]byte(strings.TrimSuffix(prefix, "/") + "0")), // what comes after a slash
	})
	if err != nil {
		t.Fatal(err)
	}
	response, err := http.Post(p.environment.ControlPlane.Etcd.URL.String()+"/v3/kv/range", "application/json", bytes.NewReader(question)) //nolint:noctx // of this test's own etcd
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = response.Body.Close() }()
	var answer struct {
		KVs []struct{ Value []byte }
	}
	if err := json.NewDecoder(response.Body).Decode(&answer); err != nil {
		t.Fatal(err)
	}
	found := map[string]string{}
	for _, kv := range answer.KVs {
		o := &object{}
		if err := o.UnmarshalJSON(kv.Value); err != nil {
			t.Fatal(err)
		}
		found[o.GetName()] = o.GroupVersionKind().Version
	}
	return found
}

// storeIn a version what is written from now on.
func (s space) storeIn(t *testing.T, version string) {
	t.Helper()
	var patch []string
	for i, v := range versions {
		patch = append(patch, fmt.Sprintf(`{"op":"replace","path":"/spec/versions/%d/storage","value":%t}`, i, v == version))
	}
	for _, plural := range plurals {
		_, err := s.client.Resource(definitions).Patch(t.Context(), plural+"."+s.group, types.JSONPatchType,
			[]byte("["+strings.Join(patch, ",")+"]"), metav1.PatchOptions{})
		if err != nil {
			t.Fatal(err)
		}
	}
	soon(t, "store in "+version, func() error {
		probe := s.create(t, s.typical(t, stored, claimKind, "probe"))
		is := s.inEtcd(t)[probe.GetName()]
		if err := s.claims(stored).Delete(t.Context(), probe.GetName(), metav1.DeleteOptions{}); err != nil {
			return err
		}
		if is != version {
			return fmt.Errorf("it was stored in %s", is)
		}
		return nil
	})
}

// soon tries until it works: an API server takes a while to notice what was changed about it.
func soon(t *testing.T, what string, try func() error) {
	t.Helper()
	var err error
	for started := time.Now(); time.Since(started) < 30*time.Second; time.Sleep(50 * time.Millisecond) {
		if err = try(); err == nil {
			return
		}
	}
	t.Fatalf("%s: %v", what, err)
}
