//go:build node

package webhook

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
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

// oldVersions need a conversion for each call, because v1 is the stored version.
var oldVersions = versions[:len(versions)-1]

// numberAnnotation has the number of the last write.
const numberAnnotation = "example.com/written"

// client owns an allocated claim. It writes increasing numbers to an annotation through one version, and reads the
// claim through all old versions. The claim is lossless if the number is the last acknowledged one, and the rest is
// unchanged.
type client struct {
	claim, version  string
	dynamic         dynamic.Interface
	resourceVersion string
	acknowledged    int               // number of the last write that succeeded
	sent            int               // number of the last write
	unknown         bool              // the last write failed: the claim has either number
	content         map[string]string // by version, without the number
}

func claims(client dynamic.Interface, version string) dynamic.ResourceInterface {
	return client.Resource(schema.GroupVersionResource{
		Group: group, Version: version, Resource: "resourceclaims",
	}).Namespace(metav1.NamespaceDefault)
}

// newClient creates an allocated claim as clients of the version do, and records its content in all versions.
func (c *cluster) newClient(t *testing.T, name, version string) *client {
	t.Helper()
	data := must.Get(os.ReadFile(filepath.Join("..", "..", "testdata", "typical", version+".json")))(t)
	o := &unstructured.Unstructured{}
	must.Do(t, o.UnmarshalJSON(data))
	o.Object["metadata"] = map[string]any{"name": name, "annotations": map[string]any{numberAnnotation: "0"}}
	o.SetAPIVersion(group + "/" + version)
	status := o.Object["status"]
	created := must.Get(claims(c.dynamic, version).Create(t.Context(), o, metav1.CreateOptions{}))(t)
	created.Object["status"] = status
	allocated := must.Get(claims(c.dynamic, version).UpdateStatus(t.Context(), created, metav1.UpdateOptions{}))(t)
	client := &client{
		claim: name, version: version, dynamic: c.dynamic, resourceVersion: allocated.GetResourceVersion(),
		content: map[string]string{},
	}
	for _, v := range versions {
		converted := must.Get(claims(c.dynamic, v).Get(t.Context(), name, metav1.GetOptions{}))(t)
		client.content[v] = contentWithoutNumber(t, converted)
	}
	return client
}

func contentWithoutNumber(t testing.TB, o *unstructured.Unstructured) string {
	t.Helper()
	annotations := o.GetAnnotations()
	delete(annotations, numberAnnotation)
	text := must.Get(json.MarshalIndent([]any{
		o.Object["spec"], o.Object["status"], annotations, o.GetLabels(),
	}, "", " "))(t)
	return string(text)
}

// call reads and writes in turn. It returns a name of the operation for counts.
func (c *client) call(ctx context.Context, n int) (operation string, err error) {
	switch {
	case n%2 == 0:
		version := oldVersions[n/2%len(oldVersions)]
		_, err := claims(c.dynamic, version).Get(ctx, c.claim, metav1.GetOptions{})
		return "get " + version, err
	case c.unknown:
		return "get v1 after a failed write", c.readNumber(ctx)
	default:
		return "patch " + c.version, c.write(ctx)
	}
}

// write writes the next number.
func (c *client) write(ctx context.Context) error {
	c.sent++
	patch := fmt.Appendf(nil, `{"metadata":{"resourceVersion":%q,"annotations":{%q:"%d"}}}`, c.resourceVersion,
		numberAnnotation, c.sent)
	o, err := claims(c.dynamic, c.version).Patch(ctx, c.claim, types.MergePatchType, patch, metav1.PatchOptions{})
	if err != nil {
		c.unknown = true
		return err
	}
	c.acknowledged, c.resourceVersion = c.sent, o.GetResourceVersion()
	if got := o.GetAnnotations()[numberAnnotation]; got != strconv.Itoa(c.sent) {
		return lossError{fmt.Sprintf("%s: wrote %d, the response has %q", c.claim, c.sent, got)}
	}
	return nil
}

// lossError is an acknowledged write that is not stored, or not returned.
type lossError struct{ message string }

func (e lossError) Error() string { return e.message }

// readNumber reads the result of a failed write in v1, which needs no webhook.
func (c *client) readNumber(ctx context.Context) error {
	o, err := claims(c.dynamic, "v1").Get(ctx, c.claim, metav1.GetOptions{})
	if apierrors.IsNotFound(err) {
		return lossError{c.claim + " is deleted"}
	}
	if err != nil {
		return err
	}
	stored := o.GetAnnotations()[numberAnnotation]
	n, err := strconv.Atoi(stored)
	if err != nil || n != c.acknowledged && n != c.sent {
		return lossError{
			fmt.Sprintf("%s: %d was acknowledged, %d was sent, %q is stored", c.claim, c.acknowledged, c.sent, stored),
		}
	}
	c.acknowledged, c.sent, c.resourceVersion, c.unknown = n, n, o.GetResourceVersion(), false
	return nil
}

// expectLossless reads the claim in all versions.
func (c *client) expectLossless(t *testing.T) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.WithoutCancel(t.Context()), time.Minute)
	defer cancel()
	if err := c.readNumber(ctx); err != nil {
		t.Error(err)
	}
	for _, v := range versions {
		o, err := claims(c.dynamic, v).Get(ctx, c.claim, metav1.GetOptions{})
		if err != nil {
			t.Errorf("%s in %s: %v", c.claim, v, err)
			continue
		}
		if got := o.GetAnnotations()[numberAnnotation]; got != strconv.Itoa(c.acknowledged) {
			t.Errorf("%s in %s: %d was acknowledged, %q is stored", c.claim, v, c.acknowledged, got)
		}
		if diff := cmp.Diff(c.content[v], contentWithoutNumber(t, o)); diff != "" {
			t.Errorf("%s in %s has changed (-before +now):\n%s", c.claim, v, diff)
		}
	}
}
