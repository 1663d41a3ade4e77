package transcode

import (
	"regexp"
	"slices"
	"strings"

	jsonpatch "gopkg.in/evanphx/json-patch.v4"
	"k8s.io/apimachinery/pkg/types"

	"github.com/claimbridge/claimbridge/internal/kjson"
)

// shared are the parts of an object that a version and v1 write in the same way, so that a patch of them means the same in both.
var shared = map[string]map[string][]string{
	"v1beta2": {
		"ResourceClaim":         {"metadata", "spec", "status"},
		"ResourceClaimTemplate": {"metadata", "spec"},
		"DeviceClass":           {"metadata", "spec"},
		"ResourceSlice":         {"metadata", "spec"},
	},
	"v1beta1": {
		"ResourceClaim": {"metadata", "status"},
		"DeviceClass":   {"metadata", "spec"},
	},
}

// isShared tells whether a member of an object is among them. Metadata always is, but for what is said in it of versions.
func (c *call) isShared(member string) bool {
	return member == "metadata" || slices.Contains(shared[c.Version][c.Kind.Kind], member)
}

// older finds what may be an old version of the group, which the store does not know as that of an owner or of managed fields. A slash can be
// written with a backslash before it, and any letter by its number.
var older = regexp.MustCompile(`resource\.k8s\.io/v1(alpha|beta)|\\[/u]`)

// asItIs gives a patch that says the same of the stored object as of what the version shows of it: the patch itself, but for the apiVersion
// in it. Such a patch meets no conflict, and the store itself does all of it.
func (c *call) asItIs(form types.PatchType, patch []byte) ([]byte, bool) {
	if form == types.JSONPatchType {
		return patch, c.sharesOperations(patch)
	}
	members, duplicates, err := kjson.Members(patch)
	if err != nil || len(duplicates) > 0 || len(patch) == 0 || members == nil {
		return nil, false
	}
	out := []byte{'{'}
	for _, m := range members {
		value := m.Value
		switch {
		case m.Name == "apiVersion" && kjson.StringOf(value) == c.GroupVersionKind().GroupVersion().String():
			value = kjson.Quote(stored)
		case m.Name == "kind" && kjson.StringOf(value) == c.Kind.Kind:
		case !c.isShared(m.Name), m.Name == "metadata" && tellsVersions(value):
			return nil, false
		}
		out = append(kjson.AppendName(out, m.Name), value...)
	}
	return append(out, '}'), true
}

// tellsVersions of a patch of metadata that names versions of objects.
func tellsVersions(patch []byte) bool {
	s := kjson.New(patch)
	for name := range s.Values() {
		if name == "managedFields" || strings.HasPrefix(name, "$patch") {
			return true
		}
	}
	return s.Failed() || older.Match(patch)
}

// sharesOperations of a JSON patch: each reads and writes in a part that is shared. The paths are read as the store reads them.
func (c *call) sharesOperations(patch []byte) bool {
	operations, err := jsonpatch.DecodePatch(patch)
	if err != nil || older.Match(patch) {
		return false
	}
	for _, operation := range operations {
		paths := []func() (string, error){operation.Path}
		if kind := operation.Kind(); kind == "move" || kind == "copy" {
			paths = append(paths, operation.From)
		}
		for _, path := range paths {
			text, err := path()
			if err != nil || !c.sharesPath(text) {
				return false
			}
		}
	}
	return true
}

func (c *call) sharesPath(path string) bool {
	parts := strings.Split(path, "/")
	if len(parts) < 2 || parts[0] != "" || !c.isShared(parts[1]) {
		return false
	}
	return parts[1] != "metadata" || len(parts) > 2 && parts[2] != "managedFields"
}
