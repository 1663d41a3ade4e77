//go:build e2e

package preflight

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"testing"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/claimbridge/claimbridge/test/testkit/must"
)

// restore the state in which all is well.
func (i *installation) restore(t *testing.T) {
	t.Helper()
	i.withoutOwn(t)
	for _, object := range i.objects {
		i.eventually(t, "restore "+object.GetObjectKind().GroupVersionKind().Kind+" "+object.GetName(), func() error { return i.put(object) })
	}
	for _, plural := range []string{"resourceclaims", "resourceclaimtemplates"} {
		definition := &apiextensionsv1.CustomResourceDefinition{ObjectMeta: metav1.ObjectMeta{Name: plural + "." + i.group}}
		i.status(t, definition, func() { definition.Status.StoredVersions = []string{"v1"} })
	}
	i.available(t)
}

// available as a Deployment of a cluster would become.
func (i *installation) available(t *testing.T) {
	t.Helper()
	deployment := &appsv1.Deployment{ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: name}}
	i.status(t, deployment, func() {
		deployment.Status = appsv1.DeploymentStatus{Replicas: *deployment.Spec.Replicas, ReadyReplicas: *deployment.Spec.Replicas}
	})
}

// put an object as it should be, unless nobody has changed it since that was done.
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

// status of an object, changed.
func (i *installation) status(t *testing.T, object client.Object, change func()) {
	t.Helper()
	i.eventually(t, "write status of "+object.GetName(), func() error {
		if err := i.read(object); err != nil {
			return err
		}
		before := object.DeepCopyObject()
		change()
		if equality.Semantic.DeepEqual(before, object) {
			return nil
		}
		return i.Status().Update(context.Background(), object)
	})
}

var errNotYet = errors.New("not yet")

// eventually is soon for an API server: it needs a moment until it serves a definition.
func (i *installation) eventually(t *testing.T, what string, do func() error) {
	t.Helper()
	var err error
	for deadline := time.Now().Add(time.Minute); time.Now().Before(deadline); time.Sleep(50 * time.Millisecond) {
		if err = do(); err == nil {
			return
		}
	}
	t.Fatalf("%s: %v", what, err)
}

// create objects that are not part of the installation, until the end of the test.
func (i *installation) create(t *testing.T, text string) {
	t.Helper()
	for _, object := range parse(t, []byte(text)) {
		must.Do(t, i.Create(context.Background(), object))
		t.Cleanup(func() {
			if err := i.Delete(context.Background(), object); client.IgnoreNotFound(err) != nil {
				t.Error(err)
			}
		})
	}
}

// remove objects, and wait until they are gone or cannot go.
func (i *installation) remove(t *testing.T, objects ...client.Object) {
	t.Helper()
	for _, object := range objects {
		must.Do(t, i.Delete(context.Background(), object))
		i.eventually(t, "delete "+object.GetName(), func() error {
			err := i.read(object)
			if apierrors.IsNotFound(err) || slices.Equal(object.GetFinalizers(), []string{blocker}) {
				return nil
			}
			return cmp.Or(err, errors.New("is still there"))
		})
	}
}

// read an object, and leave nothing of what it was before.
func (i *installation) read(object client.Object) error {
	key := client.ObjectKeyFromObject(object)
	reflect.ValueOf(object).Elem().SetZero()
	object.SetNamespace(key.Namespace)
	object.SetName(key.Name)
	return i.Get(context.Background(), key, object)
}

// change an object.
func (i *installation) change(t *testing.T, object client.Object, change func()) {
	t.Helper()
	i.eventually(t, "change "+object.GetName(), func() error {
		if err := i.read(object); err != nil {
			return err
		}
		change()
		return i.Update(context.Background(), object)
	})
}

// condition of a definition, as it should be.
func (i *installation) condition(definition string, kind apiextensionsv1.CustomResourceDefinitionConditionType, want apiextensionsv1.ConditionStatus) error {
	var d apiextensionsv1.CustomResourceDefinition
	if err := i.Get(context.Background(), client.ObjectKey{Name: definition}, &d); err != nil {
		return err
	}
	for _, c := range d.Status.Conditions {
		if c.Type == kind && c.Status == want {
			return nil
		}
	}
	return fmt.Errorf("condition %s is not %s", kind, want)
}

// forget what is stored.
func (i *installation) forget(t *testing.T) {
	t.Helper()
	for _, object := range i.objects[len(i.objects)-2:] {
		must.Do(t, i.Delete(context.Background(), object.DeepCopyObject().(client.Object)))
	}
}
