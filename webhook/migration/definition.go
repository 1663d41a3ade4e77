package migration

import (
	"context"
	"fmt"
	"slices"

	"k8s.io/apiextensions-apiserver/pkg/apihelpers"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/client-go/metadata"
	"k8s.io/client-go/util/retry"

	"github.com/claimbridge/claimbridge/api"
)

var definitionsResource = schema.GroupVersionResource{Group: "apiextensions.k8s.io", Version: "v1", Resource: "customresourcedefinitions"}

// fieldManager of what is written. A patch that changes nothing makes it own nothing.
const fieldManager = "claimbridge-migrate"

// newest version, which is the one that a definition stores when it can be migrated.
var newest = api.Stored().Name

type definition struct {
	*migration
	*apiextensionsv1.CustomResourceDefinition
}

// definition of a name.
func (m *migration) definition(ctx context.Context, name string) (*definition, error) {
	o, err := m.definitions.Get(ctx, name, metav1.GetOptions{})
	if err != nil {
		return nil, doing("get definition "+name, err)
	}
	d := &definition{m, &apiextensionsv1.CustomResourceDefinition{}}
	if err := runtime.DefaultUnstructuredConverter.FromUnstructured(o.Object, d.CustomResourceDefinition); err != nil {
		return nil, fmt.Errorf("definition %s: %w", name, err)
	}
	return d, nil
}

// check that a write of an object stores the whole of it, in the version that this program knows as the newest.
func (d *definition) check() error {
	stored, _ := apihelpers.GetCRDStorageVersion(d.CustomResourceDefinition) // an API server accepts none without one
	switch {
	case d.DeletionTimestamp != nil:
		return fmt.Errorf("definition %s is being deleted, and its objects with it", d.Name)
	case stored != newest:
		return fmt.Errorf("definition %s stores %s, not %s: apply the manifests of this release first", d.Name, stored, newest)
	case !apihelpers.HasServedCRDVersion(d.CustomResourceDefinition, newest):
		return fmt.Errorf("definition %s does not serve %s, the version that it stores: apply the manifests again", d.Name, newest)
	case d.Spec.Conversion == nil || d.Spec.Conversion.Strategy != apiextensionsv1.WebhookConverter:
		return fmt.Errorf("definition %s has no conversion webhook: a write would drop what %s does not have; apply the manifests again", d.Name, newest)
	}
	return nil
}

// old versions, in which there may be objects.
func (d *definition) old() []string {
	return slices.DeleteFunc(slices.Clone(d.Status.StoredVersions), func(version string) bool { return version == newest })
}

// in a version the objects of a definition.
func (d *definition) in(version string) metadata.Getter {
	return d.objects.Resource(schema.GroupVersionResource{Group: d.Spec.Group, Version: version, Resource: d.Spec.Names.Plural})
}

// finishTries are how often somebody may write the status of a definition meanwhile; there is next to nobody who does.
const finishTries = 5

// finish says that all objects are stored in one version. When the definition is another one by now, or its spec was changed, nobody
// knows in which version objects were stored since: then it stays as it is.
func (d *definition) finish(ctx context.Context) error {
	return retry.RetryOnConflict(wait.Backoff{Steps: finishTries}, func() error {
		is, err := d.definition(ctx, d.Name)
		switch {
		case err != nil:
			return err
		case is.UID != d.UID || is.Generation != d.Generation:
			return fmt.Errorf("definition %s was changed meanwhile, so objects may have been stored in another version since: run this again", d.Name)
		}
		patch := fmt.Appendf(nil, `{"metadata":{"resourceVersion":%q,"uid":%q},"status":{"storedVersions":[%q]}}`, is.ResourceVersion, is.UID, newest)
		if _, err = d.definitions.Patch(ctx, d.Name, types.MergePatchType, patch, metav1.PatchOptions{FieldManager: fieldManager}, "status"); err != nil {
			return doing("patch status.storedVersions of definition "+d.Name, err)
		}
		return nil
	})
}
