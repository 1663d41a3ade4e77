package release

import (
	"cmp"
	"fmt"

	apivalidation "k8s.io/apimachinery/pkg/api/validation"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/claimbridge/claimbridge/api/v1alpha1"
	"github.com/claimbridge/claimbridge/conversion"
	"github.com/claimbridge/claimbridge/validation"
)

// JudgeMetadata asks the API server's own rules for metadata. In a cluster they were asked before any webhook is; for
// files nobody else asks them. The versions of Kubernetes that claims come from do not differ in them.
func JudgeMetadata(r validation.Request, h conversion.Header) ([]validation.Error, error) {
	path := field.NewPath("metadata")
	meta, err := metadataOf(r.Object)
	if err != nil {
		return nil, err
	}
	var errs field.ErrorList
	if r.Operation == validation.Create || r.Operation == validation.Update {
		errs = apivalidation.ValidateObjectMeta(meta, true, apivalidation.NameIsDNSSubdomain, path)
	}
	// From 1.30 on a status write leaves metadata alone, so nothing of it can be wrong.
	if r.Operation == validation.Update || r.Operation == validation.UpdateStatus && h.Version == v1alpha1.GroupVersion.Version {
		old, err := metadataOf(r.OldObject)
		if err != nil {
			return nil, err
		}
		restore(meta, old)
		errs = append(errs, apivalidation.ValidateObjectMetaUpdate(meta, old, path)...)
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

// restore sets what the API server sets before it judges an update: a client need not know it. Without a
// resourceVersion an update is for whatever version there is.
func restore(meta, old *metav1.ObjectMeta) {
	old.ResourceVersion = cmp.Or(old.ResourceVersion, "1")
	meta.ResourceVersion = cmp.Or(meta.ResourceVersion, old.ResourceVersion)
	meta.UID = cmp.Or(meta.UID, old.UID)
	meta.CreationTimestamp = old.CreationTimestamp
	meta.DeletionTimestamp, meta.DeletionGracePeriodSeconds = old.DeletionTimestamp, old.DeletionGracePeriodSeconds
}

// metadataOf reads the metadata of a manifest as it is when it comes to be judged: kubectl adds a namespace, and the API
// server makes up a name from generateName.
func metadataOf(raw []byte) (*metav1.ObjectMeta, error) {
	var object struct {
		Metadata metav1.ObjectMeta `json:"metadata"`
	}
	// Other members are unknown here; they were read before.
	if _, err := conversion.Decode(raw, &object); err != nil {
		return nil, fmt.Errorf("metadata: %w", err)
	}
	meta := &object.Metadata
	meta.Namespace = cmp.Or(meta.Namespace, metav1.NamespaceDefault)
	if meta.Name == "" && meta.GenerateName != "" {
		meta.Name = meta.GenerateName + "x"
	}
	return meta, nil
}
