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

// restore restores the healthy state.
func (i *installation) restore(t *testing.T) {
	t.Helper()
	i.removeSelfSigned(t)
	for _, object := range i.objects {
		await.NoError(t, "restore "+object.GetObjectKind().GroupVersionKind().Kind+" "+object.GetName(), func() error {
			return i.put(object)
		})
	}
	for _, plural := range []string{"resourceclaims", "resourceclaimtemplates"} {
		definition := object("claims")
		definition.SetName(plural + "." + i.group)
		i.patchStatus(t, definition, map[string]any{"storedVersions": []string{"v1"}})
	}
	i.setAvailable(t)
}

// setAvailable sets the status of the Deployment like its controller.
func (i *installation) setAvailable(t *testing.T) {
	t.Helper()
	i.patchStatus(t, object("deployment"), map[string]any{"replicas": 2, "readyReplicas": 2, "conditions": nil})
}

// put restores an object, unless it is unchanged.
func (i *installation) put(object client.Object) error {
	next := object.DeepCopyObject().(client.Object)
	live := object.DeepCopyObject().(client.Object)
	err := i.Get(context.Background(), client.ObjectKeyFromObject(object), live)
	switch {
	case apierrors.IsNotFound(err):
		err = i.Create(context.Background(), next)
	case err != nil:
	case live.GetDeletionTimestamp() != nil:
		err = errors.New("it is still being deleted")
	case live.GetResourceVersion() == i.versions[object]:
		return nil
	default:
		next.SetResourceVersion(live.GetResourceVersion())
		err = i.Update(context.Background(), next)
	}
	i.versions[object] = next.GetResourceVersion()
	return err
}

// patchStatus changes fields of the status of an object.
func (i *installation) patchStatus(t *testing.T, object client.Object, status map[string]any) {
	t.Helper()
	patch := client.RawPatch(types.MergePatchType, must.Get(json.Marshal(map[string]any{"status": status}))(t))
	await.NoError(t, "write status of "+object.GetName(), func() error {
		return i.Status().Patch(context.Background(), object, patch)
	})
}

var errNotYet = errors.New("not yet")

// create creates objects that are not part of the installation, and deletes them when the test ends.
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

// remove deletes objects, and waits until they do not exist or only testFinalizer delays their deletion.
func (i *installation) remove(t *testing.T, all ...string) {
	t.Helper()
	for _, alias := range all {
		must.Do(t, i.Delete(context.Background(), object(alias)))
		await.NoError(t, "delete "+alias, func() error {
			remaining := object(alias)
			err := i.Get(context.Background(), client.ObjectKeyFromObject(remaining), remaining)
			if apierrors.IsNotFound(err) || slices.Equal(remaining.GetFinalizers(), []string{testFinalizer}) {
				return nil
			}
			return cmp.Or(err, errors.New("it still exists"))
		})
	}
}

// deleteStored deletes the claim and the template.
func (i *installation) deleteStored(t *testing.T) {
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

// etcd sends a request to the JSON gateway of etcd.
func (i *installation) etcd(t *testing.T, verb string, request map[string][]byte) {
	t.Helper()
	body := must.Get(json.Marshal(request))(t)
	response := must.Get(http.Post(i.etcdURL+"/v3/kv/"+verb, "application/json", bytes.NewReader(body)))(t)
	_ = response.Body.Close()
	if response.StatusCode != http.StatusOK {
		t.Fatalf("etcd: %s", response.Status)
	}
}
