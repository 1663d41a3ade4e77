//go:build e2e

package preflight

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"testing"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/claimbridge/claimbridge/test/testkit/await"
	"github.com/claimbridge/claimbridge/test/testkit/must"
)

// restore the state in which all is well.
func (i *installation) restore(t *testing.T) {
	t.Helper()
	i.withoutOwn(t)
	for _, object := range i.objects {
		await.NoError(t, "restore "+object.GetObjectKind().GroupVersionKind().Kind+" "+object.GetName(), func() error {
			return i.put(object)
		})
	}
	for _, plural := range []string{"resourceclaims", "resourceclaimtemplates"} {
		definition := object("claims")
		definition.SetName(plural + "." + i.group)
		i.status(t, definition, map[string]any{"storedVersions": []string{"v1"}})
	}
	i.available(t)
}

// available as a Deployment of a cluster would become.
func (i *installation) available(t *testing.T) {
	t.Helper()
	i.status(t, object("deployment"), map[string]any{"replicas": 2, "readyReplicas": 2, "conditions": nil})
}

// put restores an object, unless it is unchanged.
func (i *installation) put(wanted client.Object) error {
	next := wanted.DeepCopyObject().(client.Object)
	live := wanted.DeepCopyObject().(client.Object)
	err := i.Get(context.Background(), client.ObjectKeyFromObject(wanted), live)
	switch {
	case apierrors.IsNotFound(err):
		err = i.Create(context.Background(), next)
	case err != nil:
	case live.GetDeletionTimestamp() != nil:
		err = errors.New("is still being deleted")
	case live.GetResourceVersion() == i.versions[wanted]:
		return nil
	default:
		next.SetResourceVersion(live.GetResourceVersion())
		err = i.Update(context.Background(), next)
	}
	i.versions[wanted] = next.GetResourceVersion()
	return err
}

// status of an object, changed where it is said.
func (i *installation) status(t *testing.T, object client.Object, status map[string]any) {
	t.Helper()
	patch := client.RawPatch(types.MergePatchType, must.Get(json.Marshal(map[string]any{"status": status}))(t))
	await.NoError(t, "write status of "+object.GetName(), func() error {
		return i.Status().Patch(context.Background(), object, patch)
	})
}

var errNotYet = errors.New("not yet")

// create objects that are not part of the installation, until the end of the test.
func (i *installation) create(t *testing.T, text string) {
	t.Helper()
	for _, object := range parse(t, []byte(text)) {
		i.createOne(t, object)
	}
}

func (i *installation) createOne(t *testing.T, object client.Object) {
	t.Helper()
	must.Do(t, i.Create(context.Background(), object))
	t.Cleanup(func() { must.Do(t, client.IgnoreNotFound(i.Delete(context.Background(), object))) })
}

// remove objects, and wait until they are gone or cannot go.
func (i *installation) remove(t *testing.T, all ...string) {
	t.Helper()
	for _, called := range all {
		must.Do(t, i.Delete(context.Background(), object(called)))
		await.NoError(t, "delete "+called, func() error {
			left := object(called)
			err := i.Get(context.Background(), client.ObjectKeyFromObject(left), left)
			if apierrors.IsNotFound(err) || slices.Equal(left.GetFinalizers(), []string{blocker}) {
				return nil
			}
			return cmp.Or(err, errors.New("is still there"))
		})
	}
}

// forget what is stored.
func (i *installation) forget(t *testing.T) {
	t.Helper()
	for _, object := range i.objects[len(i.objects)-2:] {
		must.Do(t, i.Delete(context.Background(), object.DeepCopyObject().(client.Object)))
	}
}

// store stores objects directly in etcd, without validation, until the end of the test.
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
