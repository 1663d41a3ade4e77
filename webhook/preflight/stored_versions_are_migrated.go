package preflight

import (
	"fmt"
	"slices"
	"strings"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

var storedVersionsAreMigrated = Check{
	Name:     "stored-versions-are-migrated",
	Reason:   "Objects that were stored in an older version stay so until they are written again. As long as status.storedVersions names that version it cannot be taken out of the definition.",
	Severity: Warning,
	Remedy:   "Write every object once, then take the old versions out of status.storedVersions.",
	find: func(v *view) {
		if v.found(storedVersionIsNewest) {
			return // first the newest has to be stored
		}
		for _, crd := range v.definitions() {
			stored := storedVersion(crd)
			old := slices.DeleteFunc(slices.Clone(crd.Status.StoredVersions), func(version string) bool { return version == stored })
			if len(old) == 0 {
				continue
			}
			v.report(definitions.object("", crd.Name), "objects may still be stored in "+strings.Join(old, ", ")+" (status.storedVersions)",
				v.migrate(crd))
		}
	},
}

// migrate what is stored. Where nothing is there is nothing to write, which kubectl calls an error.
func (v *view) migrate(crd *apiextensionsv1.CustomResourceDefinition) remedy {
	r := resource{crd.Spec.Group, storedVersion(crd), crd.Spec.Names.Plural, crd.Spec.Names.Kind}
	patch := v.kubectl("patch", "crd", crd.Name, "--subresource=status", "--type=merge", "-p", fmt.Sprintf(`{"status":{"storedVersions":["%s"]}}`, r.version))
	body, err := v.cluster.get(v.ctx, asNames, r.path("", ""), map[string]string{"limit": "1"})
	if some, _ := decode[metav1.PartialObjectMetadataList](body); err == nil && some != nil && len(some.Items) == 0 {
		return say("nothing is stored: say so").by(patch)
	}
	return say("write every object once, then say that it is done").by(
		v.kubectl("get", r.versioned(), "--all-namespaces", "-o", "json")+" | "+v.kubectl("replace", "-f", "-"), patch)
}
