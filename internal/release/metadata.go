package release

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	apivalidation "k8s.io/apimachinery/pkg/api/validation"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/claimbridge/claimbridge/api"
	"github.com/claimbridge/claimbridge/api/v1alpha1"
	"github.com/claimbridge/claimbridge/internal/conversion"
	"github.com/claimbridge/claimbridge/internal/objectjson"
	"github.com/claimbridge/claimbridge/validation"
)

// ValidateMetadata validates metadata with the rules of the API server. In a cluster the API server applies them before
// it calls a webhook; files have not been validated yet. The rules are the same in all releases of Kubernetes that
// serve claims. Objects of other groups are custom resources, whose finalizers may have any name.
func ValidateMetadata(r validation.Request, h conversion.Header) ([]validation.Error, error) {
	path := field.NewPath("metadata")
	meta, err := metadataOf(r.Object)
	if err != nil {
		return nil, err
	}
	var errs field.ErrorList
	writesMain := r.Operation == validation.Create || r.Operation == validation.Update
	// In 1.26 (v1alpha1), a status write also writes metadata. v1alpha2 has the rules of 1.30, in which it does not.
	writesMetadata := writesMain || r.Operation == validation.UpdateStatus && h.Version == v1alpha1.GroupVersion.Version
	if writesMain {
		errs = apivalidation.ValidateObjectMeta(meta, true, apivalidation.NameIsDNSSubdomain, path)
	}
	if writesMetadata && r.Operation != validation.Create {
		old, err := metadataOf(r.OldObject)
		if err != nil {
			return nil, err
		}
		setFromOld(meta, old)
		errs = append(errs, apivalidation.ValidateObjectMetaUpdate(meta, old, path)...)
	}
	if writesMetadata && h.Group == api.Group {
		errs = append(errs, validateFinalizers(meta.Finalizers, path.Child("finalizers"))...)
	}
	first := make([]validation.Error, 0, len(errs))
	seen := map[string]bool{}
	for _, e := range errs {
		if key := string(e.Type) + e.Field; !seen[key] {
			seen[key] = true
			first = append(first, validation.Error{Error: e})
		}
	}
	return first, nil
}

// standardFinalizers are the only valid finalizers without a domain.
var standardFinalizers = []string{
	string(corev1.FinalizerKubernetes), metav1.FinalizerOrphanDependents, metav1.FinalizerDeleteDependents,
}

// validateFinalizers returns the errors that pkg/apis/core/validation.ValidateObjectMeta of Kubernetes 1.36 adds to
// those of the function of the same name in apimachinery: a finalizer of a built-in kind must be a standard one, or
// have a domain.
func validateFinalizers(finalizers []string, path *field.Path) (errs field.ErrorList) {
	for i, name := range finalizers {
		if !strings.Contains(name, "/") && !slices.Contains(standardFinalizers, name) {
			detail := "name is neither a standard finalizer name nor is it fully qualified"
			errs = append(errs, field.Invalid(path.Index(i), name, detail))
		}
	}
	return errs
}

// setFromOld sets the fields that the API server sets before it validates an update, so that a client need not send
// them. An update without a resourceVersion applies to any version of the object.
func setFromOld(meta, old *metav1.ObjectMeta) {
	old.ResourceVersion = cmp.Or(old.ResourceVersion, "1")
	meta.ResourceVersion = cmp.Or(meta.ResourceVersion, old.ResourceVersion)
	meta.UID = cmp.Or(meta.UID, old.UID)
	meta.CreationTimestamp = old.CreationTimestamp
	meta.DeletionTimestamp, meta.DeletionGracePeriodSeconds = old.DeletionTimestamp, old.DeletionGracePeriodSeconds
}

// metadataOf reads the metadata of a manifest as the API server validates it: kubectl adds a namespace, and the API
// server generates a name from generateName.
func metadataOf(raw []byte) (*metav1.ObjectMeta, error) {
	var object struct {
		Metadata metav1.ObjectMeta `json:"metadata"`
	}
	// All members except metadata are unknown to this struct; they were decoded before.
	if _, err := objectjson.Decode(raw, &object); err != nil {
		return nil, fmt.Errorf("metadata: %w", err)
	}
	meta := &object.Metadata
	meta.Namespace = cmp.Or(meta.Namespace, metav1.NamespaceDefault)
	if meta.Name == "" && meta.GenerateName != "" {
		meta.Name = meta.GenerateName + "x"
	}
	return meta, nil
}
