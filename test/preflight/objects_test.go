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

// restore restores the objects and statuses of the healthy state.
func (i *installation) restore(t *testing.T) {
	t.Helper()
	i.deleteSelfSignedObjects(t)
	for _, object := range i.objects {
		await.NoError(t, "restore "+object.GetObjectKind().GroupVersionKind().Kind+" "+object.GetName(), func() error {
			return i.createOrUpdate(object)
		})
	}
	for _, plural := range []string{"resourceclaims", "resourceclaimtemplates"} {
		definition := objectFor("claims")
		definition.SetName(plural + "." + i.group)
		i.patchStatus(t, definition, map[string]any{"storedVersions": []string{"v1"}})
	}
	i.setAvailable(t)
}

// setAvailable sets the status of the Deployment like the Deployment controller.
func (i *installation) setAvailable(t *testing.T) {
	t.Helper()
	i.patchStatus(t, objectFor("deployment"), map[string]any{"replicas": 2, "readyReplicas": 2, "conditions": nil})
}

// createOrUpdate creates or updates an object of the healthy state, unless it is unchanged.
func (i *installation) createOrUpdate(object client.Object) error {
	desired := object.DeepCopyObject().(client.Object)
	current := object.DeepCopyObject().(client.Object)
	err := i.Get(context.Background(), client.ObjectKeyFromObject(object), current)
	switch {
	case apierrors.IsNotFound(err):
		err = i.Create(context.Background(), desired)
	case err != nil:
		return err
	case current.GetDeletionTimestamp() != nil:
		return errors.New("it is still being deleted")
	case current.GetResourceVersion() == i.resourceVersions[object]:
		return nil
	default:
		desired.SetResourceVersion(current.GetResourceVersion())
		err = i.Update(context.Background(), desired)
	}
	if err != nil {
		return err
	}
	i.resourceVersions[object] = desired.GetResourceVersion()
	return nil
}

// patchStatus changes fields of the status of an object.
func (i *installation) patchStatus(t *testing.T, object client.Object, status map[string]any) {
	t.Helper()
	patch := client.RawPatch(types.MergePatchType, must.Get(json.Marshal(map[string]any{"status": status}))(t))
	await.NoError(t, "patch the status of "+object.GetName(), func() error {
		return i.Status().Patch(context.Background(), object, patch)
	})
}

// createYAML creates objects that are not part of the installation, and deletes them when the test ends.
func (i *installation) createYAML(t *testing.T, text string) {
	t.Helper()
	for _, object := range parseObjects(t, []byte(text)) {
		i.createObject(t, object)
	}
}

// createObject creates an object that is not part of the installation, and deletes it when the test ends.
func (i *installation) createObject(t *testing.T, object client.Object) {
	t.Helper()
	must.Do(t, i.Create(context.Background(), object))
	t.Cleanup(func() { must.Do(t, client.IgnoreNotFound(i.Delete(context.Background(), object))) })
}

// remove deletes objects, and waits until they do not exist or only testFinalizer delays their deletion.
func (i *installation) remove(t *testing.T, names ...string) {
	t.Helper()
	for _, alias := range names {
		must.Do(t, i.Delete(context.Background(), objectFor(alias)))
		await.NoError(t, "delete "+alias, func() error {
			remaining := objectFor(alias)
			err := i.Get(context.Background(), client.ObjectKeyFromObject(remaining), remaining)
			if apierrors.IsNotFound(err) || slices.Equal(remaining.GetFinalizers(), []string{testFinalizer}) {
				return nil
			}
			return cmp.Or(err, errors.New("it still exists"))
		})
	}
}

// deleteClaimAndTemplate deletes the claim and the template of the installation.
func (i *installation) deleteClaimAndTemplate(t *testing.T) {
	t.Helper()
	for _, object := range i.claimAndTemplate() {
		must.Do(t, i.Delete(context.Background(), object.DeepCopyObject().(client.Object)))
	}
}

// storeInEtcd stores claims directly in etcd, without validation, until the test ends. The format has a %s for the
// name.
func (i *installation) storeInEtcd(t *testing.T, names []string, format string) {
	t.Helper()
	for _, name := range names {
		i.sendToEtcd(t, "put", map[string][]byte{"key": etcdKey(name), "value": fmt.Appendf(nil, format, name)})
	}
	t.Cleanup(func() {
		for _, name := range names {
			i.sendToEtcd(t, "deleterange", map[string][]byte{"key": etcdKey(name)})
		}
	})
}

// etcdKey returns the key of a claim in etcd.
func etcdKey(name string) []byte {
	return []byte("/registry/" + group + "/resourceclaims/default/" + name)
}

// sendToEtcd sends a request to the JSON gateway of etcd.
func (i *installation) sendToEtcd(t *testing.T, method string, request map[string][]byte) {
	t.Helper()
	body := must.Get(json.Marshal(request))(t)
	response := must.Get(http.Post(i.etcdURL+"/v3/kv/"+method, "application/json", bytes.NewReader(body)))(t)
	_ = response.Body.Close()
	if response.StatusCode != http.StatusOK {
		t.Fatalf("etcd %s: %s", method, response.Status)
	}
}
