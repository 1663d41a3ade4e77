package preflight

import (
	"fmt"
	"slices"
	"strings"
)

var storedVersionsAreMigrated = Check{
	Name:     "stored-versions-are-migrated",
	Reason:   "Objects that were stored in an older version stay so until they are written again. As long as status.storedVersions names that version it cannot be taken out of the definition.",
	Severity: Warning,
	Remedy:   "Write every object once, then take the old versions out of status.storedVersions.",
	find: func(v *view) {
		for _, crd := range v.definitions() {
			stored := storedVersion(crd)
			old := slices.DeleteFunc(slices.Clone(crd.Status.StoredVersions), func(version string) bool { return version == stored })
			if len(old) == 0 {
				continue
			}
			v.report(definitions.object("", crd.Name), "objects may still be stored in "+strings.Join(old, ", ")+" (status.storedVersions)",
				fmt.Sprintf(`write every object once (kubectl get %s -A -o json | kubectl replace -f -), then kubectl patch crd %s --subresource=status --type=merge -p '{"status":{"storedVersions":["%s"]}}'`,
					crd.Name, crd.Name, stored))
		}
	},
}
