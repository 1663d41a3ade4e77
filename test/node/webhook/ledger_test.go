//go:build node

package webhook

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/dynamic"

	"github.com/claimbridge/claimbridge/test/testkit/must"
)

var versions = []string{"v1alpha1", "v1alpha2", "v1alpha3", "v1beta1", "v1beta2", "v1"}

// oldVersions are converted on every call.
var oldVersions = versions[:len(versions)-1]

// written is the annotation that writers count up.
const written = "example.com/written"

// account of one claim: what was acknowledged of it.
type account struct {
	name, version string // through which it is written
	mutex         sync.Mutex
	resource      string // its resourceVersion
	number        int    // the last one that was acknowledged
	tried         int    // the last one that was sent
	unsure        bool   // since that got no answer
	content       map[string]string
}

func claims(client dynamic.Interface, version string) dynamic.ResourceInterface {
	return client.Resource(schema.GroupVersionResource{
		Group: group, Version: version, Resource: "resourceclaims",
	}).Namespace(metav1.NamespaceDefault)
}

// open an account of an allocated claim, as clients of its version leave it, and see what it is in all versions.
func (c *cluster) open(t *testing.T, name, version string) *account {
	t.Helper()
	data := must.Get(os.ReadFile(filepath.Join("..", "..", "testdata", "typical", version+".json")))(t)
	o := &unstructured.Unstructured{}
	must.Do(t, o.UnmarshalJSON(data))
	o.Object["metadata"] = map[string]any{"name": name, "annotations": map[string]any{written: "0"}}
	o.SetAPIVersion(group + "/" + version)
	status := o.Object["status"]
	created := must.Get(claims(c.dynamic, version).Create(t.Context(), o, metav1.CreateOptions{}))(t)
	created.Object["status"] = status
	allocated := must.Get(claims(c.dynamic, version).UpdateStatus(t.Context(), created, metav1.UpdateOptions{}))(t)
	a := &account{name: name, version: version, resource: allocated.GetResourceVersion(), content: map[string]string{}}
	for _, v := range versions {
		seen := must.Get(claims(c.dynamic, v).Get(t.Context(), name, metav1.GetOptions{}))(t)
		a.content[v] = content(t, seen)
	}
	return a
}

// content of a claim that no write of this test changes.
func content(t testing.TB, o *unstructured.Unstructured) string {
	t.Helper()
	annotations := o.GetAnnotations()
	delete(annotations, written)
	text := must.Get(json.MarshalIndent([]any{
		o.Object["spec"], o.Object["status"], annotations, o.GetLabels(),
	}, "", " "))(t)
	return string(text)
}

// write writes the next number, if no other client has written since. The caller holds the account.
func (a *account) write(ctx context.Context, client dynamic.Interface) error {
	a.tried++
	patch := fmt.Appendf(nil, `{"metadata":{"resourceVersion":%q,"annotations":{%q:"%d"}}}`, a.resource, written,
		a.tried)
	o, err := claims(client, a.version).Patch(ctx, a.name, types.MergePatchType, patch, metav1.PatchOptions{})
	if err != nil {
		a.unsure = true
		return err
	}
	a.number, a.resource = a.tried, o.GetResourceVersion()
	if got := o.GetAnnotations()[written]; got != strconv.Itoa(a.tried) {
		return wrong{fmt.Sprintf("%s: %d was written, and %q is answered", a.name, a.tried, got)}
	}
	return nil
}

// wrong is what must never be: something that is stored, or read, is not what was acknowledged.
type wrong struct{ what string }

func (w wrong) Error() string { return w.what }

// ask reads the result of a write without a response, in v1, which needs no webhook. The caller holds the account.
func (a *account) ask(ctx context.Context, client dynamic.Interface) error {
	o, err := claims(client, "v1").Get(ctx, a.name, metav1.GetOptions{})
	if apierrors.IsNotFound(err) {
		return wrong{a.name + " is gone"}
	}
	if err != nil {
		return err
	}
	n, err := strconv.Atoi(o.GetAnnotations()[written])
	if err != nil || n != a.number && n != a.tried {
		return wrong{
			fmt.Sprintf("%s: %d was acknowledged and %d sent, and %q is stored", a.name, a.number, a.tried,
				o.GetAnnotations()[written]),
		}
	}
	a.number, a.tried, a.resource, a.unsure = n, n, o.GetResourceVersion(), false
	return nil
}

// audit of an account: what is stored is what was acknowledged, and in all versions what it was.
func (a *account) audit(t *testing.T, client dynamic.Interface) {
	t.Helper()
	ctx, stop := context.WithTimeout(context.WithoutCancel(t.Context()), time.Minute)
	defer stop()
	if err := a.ask(ctx, client); err != nil {
		t.Error(err)
	}
	for _, v := range versions {
		o, err := claims(client, v).Get(ctx, a.name, metav1.GetOptions{})
		if err != nil {
			t.Errorf("%s in %s: %v", a.name, v, err)
			continue
		}
		if got := o.GetAnnotations()[written]; got != strconv.Itoa(a.number) {
			t.Errorf("%s in %s: %d was acknowledged, and %q is there", a.name, v, a.number, got)
		}
		if diff := cmp.Diff(a.content[v], content(t, o)); diff != "" {
			t.Errorf("%s in %s is another (-before +now):\n%s", a.name, v, diff)
		}
	}
}
