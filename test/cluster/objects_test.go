//go:build e2e

package cluster

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/claimbridge/claimbridge/test/testkit/must"
)

type object = unstructured.Unstructured

// typicalObject returns an allocated claim of a version, as the controllers of its releases write it, or a template
// with the same spec.
func (s space) typicalObject(t testing.TB, version, kind, name string) *object {
	t.Helper()
	data := must.Get(os.ReadFile(filepath.Join("..", "testdata", "typical", version+".json")))(t)
	o := &object{}
	must.Do(t, o.UnmarshalJSON(data))
	o.Object["metadata"] = map[string]any{}
	if kind == templateKind {
		o.Object["spec"] = map[string]any{"spec": o.Object["spec"]}
		delete(o.Object, "status")
	}
	return s.inNamespace(o, version, kind, name)
}

// inNamespace sets the type, name and namespace of an object.
func (s space) inNamespace(o *object, version, kind, name string) *object {
	o.SetGroupVersionKind(schema.GroupVersionKind{Group: s.group, Version: version, Kind: kind})
	o.SetName(name)
	o.SetNamespace(s.namespace)
	return o
}

// create creates an object, which must succeed.
func (s space) create(t testing.TB, o *object) *object {
	t.Helper()
	created, err := s.resource(o.GroupVersionKind().Version, o.GetKind()).Create(t.Context(), o, metav1.CreateOptions{})
	if err != nil {
		t.Fatalf("create %s %s: %v", o.GroupVersionKind().Version, o.GetName(), err)
	}
	return created
}

// createWithStatus creates an object and then writes its status like a controller, because create drops the status.
func (s space) createWithStatus(t testing.TB, o *object) *object {
	t.Helper()
	created := s.create(t, o.DeepCopy())
	status, ok := o.Object["status"]
	if !ok {
		return created
	}
	created.Object["status"] = status
	return s.writeStatus(t, created)
}

func (s space) writeStatus(t testing.TB, o *object) *object {
	t.Helper()
	written, err := s.resource(o.GroupVersionKind().Version, o.GetKind()).UpdateStatus(t.Context(), o,
		metav1.UpdateOptions{})
	if err != nil {
		t.Fatalf("status of %s %s: %v", o.GroupVersionKind().Version, o.GetName(), err)
	}
	return written
}

func (s space) get(t testing.TB, version, kind, name string) *object {
	t.Helper()
	o, err := s.resource(version, kind).Get(t.Context(), name, metav1.GetOptions{})
	if err != nil {
		t.Fatalf("get %s %s: %v", version, name, err)
	}
	return o
}

// getAllVersions returns an object in every version. It must not be written in the meantime.
func (s space) getAllVersions(t testing.TB, kind, name string) map[string]*object {
	t.Helper()
	objects := map[string]*object{}
	for _, v := range versions {
		objects[v] = s.get(t, v, kind, name)
	}
	return objects
}

// projection returns the status without the data that conversion adds in old versions.
func projection(o *object) any {
	status, ok := o.DeepCopy().Object["status"].(map[string]any)
	if !ok {
		return nil
	}
	delete(status, "claimbridgeLeftover")
	return status
}

// deallocation returns the name of the status field that requests deallocation: that of upstream, or claimbridge's
// field in versions that have none.
func deallocation(version string) string {
	if slices.Contains(versionsWithDeallocation, version) {
		return "deallocationRequested"
	}
	return "claimbridgeDeallocationRequested"
}

func nested(o *object, fields ...string) any {
	value, _, _ := unstructured.NestedFieldNoCopy(o.Object, fields...)
	return value
}

func set(t testing.TB, o *object, value any, fields ...string) *object {
	t.Helper()
	must.Do(t, unstructured.SetNestedField(o.Object, value, fields...))
	return o
}

// content returns the parts of an object that clients write: spec, status, labels and annotations.
func content(o *object) map[string]any {
	return map[string]any{
		"spec": o.Object["spec"], "status": o.Object["status"], "labels": o.GetLabels(),
		"annotations": o.GetAnnotations(),
	}
}

func equal(t testing.TB, what string, got, want any) {
	t.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", what, diff)
	}
}

// expectInvalid checks that the webhook denied a write like an API server: 422 with the reason Invalid, and a cause for
// the field.
func expectInvalid(t *testing.T, err error, field, text string) {
	t.Helper()
	status, ok := errors.AsType[*apierrors.StatusError](err)
	if !ok || !apierrors.IsInvalid(err) || !strings.Contains(err.Error(), text) {
		t.Errorf("got error %v, want 422 for %s with %q", err, field, text)
		return
	}
	about := func(c metav1.StatusCause) bool { return strings.HasPrefix(c.Field, field) }
	if !slices.ContainsFunc(status.ErrStatus.Details.Causes, about) {
		t.Errorf("got details %+v, want a cause for %s", status.ErrStatus.Details, field)
	}
}
