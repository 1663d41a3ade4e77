package migration

import (
	"context"
	"fmt"
	"slices"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/client-go/util/retry"

	"github.com/claimbridge/claimbridge/api"
)

var definitionsResource = schema.GroupVersionResource{Group: "apiextensions.k8s.io", Version: "v1", Resource: "customresourcedefinitions"}

// fieldManager of what is written. A patch that changes nothing makes it own nothing.
const fieldManager = "claimbridge-migrate"

type definition struct {
	*apiextensionsv1.CustomResourceDefinition
}

// definition of a name, when its objects can be rewritten at all.
func (m *migration) definition(ctx context.Context, name string) (*definition, error) {
	d, err := m.get(ctx, name)
	if err != nil {
		return nil, err
	}
	return d, d.check()
}

func (m *migration) get(ctx context.Context, name string) (*definition, error) {
	o, err := m.definitions.Get(ctx, name, metav1.GetOptions{})
	if err != nil {
		return nil, doing("get definition "+name, err)
	}
	d := &definition{&apiextensionsv1.CustomResourceDefinition{}}
	if err := runtime.DefaultUnstructuredConverter.FromUnstructured(o.Object, d.CustomResourceDefinition); err != nil {
		return nil, fmt.Errorf("definition %s: %w", name, err)
	}
	return d, nil
}

// check that a write of an object stores the whole of it, in the version that this program knows as the newest.
func (d *definition) check() error {
	switch newest := api.Stored().Name; {
	case d.DeletionTimestamp != nil:
		return fmt.Errorf("definition %s is being deleted, and its objects with it", d.Name)
	case d.stored() != newest:
		return fmt.Errorf("definition %s stores %s, not %s: apply the manifests of this release first", d.Name, d.stored(), newest)
	case !d.serves(newest):
		return fmt.Errorf("definition %s does not serve %s, the version that it stores: apply the manifests again", d.Name, newest)
	case d.Spec.Conversion == nil || d.Spec.Conversion.Strategy != apiextensionsv1.WebhookConverter:
		return fmt.Errorf("definition %s has no conversion webhook: a write would drop what %s does not have; apply the manifests again", d.Name, newest)
	}
	return nil
}

// stored is the version in which objects are stored when they are written now.
func (d *definition) stored() string {
	for _, v := range d.Spec.Versions {
		if v.Storage {
			return v.Name
		}
	}
	return "" // an API server accepts no definition without one
}

// old versions, in which there may be objects.
func (d *definition) old() []string {
	return slices.DeleteFunc(slices.Clone(d.Status.StoredVersions), func(version string) bool { return version == d.stored() })
}

func (d *definition) serves(version string) bool {
	return slices.ContainsFunc(d.Spec.Versions, func(v apiextensionsv1.CustomResourceDefinitionVersion) bool { return v.Name == version && v.Served })
}

// in a version the objects of a definition.
func (d *definition) in(version string) schema.GroupVersionResource {
	return schema.GroupVersionResource{Group: d.Spec.Group, Version: version, Resource: d.Spec.Names.Plural}
}

// finishTries are how often somebody may write the status of a definition meanwhile; there is next to nobody who does.
const finishTries = 5

// finish says that all objects are stored in one version. When the definition is another one by now, or its spec was changed, nobody
// knows in which version objects were stored since: then it stays as it is.
func (m *migration) finish(ctx context.Context, was *definition) error {
	return retry.RetryOnConflict(wait.Backoff{Steps: finishTries}, func() error {
		is, err := m.get(ctx, was.Name)
		switch {
		case err != nil:
			return err
		case is.UID != was.UID || is.Generation != was.Generation:
			return fmt.Errorf("definition %s was changed meanwhile, so objects may have been stored in another version since: run this again", was.Name)
		}
		patch := fmt.Appendf(nil, `{"metadata":{"resourceVersion":%q,"uid":%q},"status":{"storedVersions":[%q]}}`, is.ResourceVersion, is.UID, was.stored())
		if _, err = m.definitions.Patch(ctx, was.Name, types.MergePatchType, patch, metav1.PatchOptions{FieldManager: fieldManager}, "status"); err != nil {
			return doing("patch status.storedVersions of definition "+was.Name, err)
		}
		return nil
	})
}
