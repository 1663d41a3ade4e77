package transcode

import (
	"regexp"
	"strings"

	jsonpatch "gopkg.in/evanphx/json-patch.v4"
	"k8s.io/apimachinery/pkg/types"

	"github.com/claimbridge/claimbridge/internal/objectjson"
)

// isShared tells whether a member of an object is written in the same way in both versions, so that
// a patch of it means the same. Metadata always is, but for what is said in it of versions; and all
// else where neither version is v1beta1, or it has no requests and no devices in it.
func (c *call) isShared(member string) bool {
	switch {
	case member == "metadata":
		return true
	case isView(c.t.Version):
		return false
	case member == "spec":
		return c.kind.Kind == "DeviceClass" || !isFlat(c.t.Version) && !isFlat(c.Version)
	}
	return member == "status" && c.kind.Status
}

// aboutVersions finds what may be a version of the group, which the cluster may not know as that of
// an owner or of managed fields. A slash can be written with a backslash before it, and any letter
// by its number.
var aboutVersions = regexp.MustCompile(`resource\.k8s\.io/v\d|\\[/u]`)

// forwarded is a patch that says the same of the cluster's object as of what the version shows of
// it: the patch itself, but for the apiVersion in it. Such a patch meets no conflict, and the
// cluster itself does all of it.
func (c *call) forwarded(form types.PatchType, patch []byte) ([]byte, bool) {
	if form == types.JSONPatchType {
		return patch, c.sharesOperations(patch)
	}
	members, duplicates, err := objectjson.Members(patch)
	if err != nil || len(duplicates) > 0 || len(patch) == 0 || members == nil {
		return nil, false
	}
	out := []byte{'{'}
	for _, m := range members {
		value := m.Value
		switch {
		case m.Name == "apiVersion" && objectjson.StringOf(value) == c.gvk().GroupVersion().String():
			value = objectjson.Quote(c.stored())
		case m.Name == "kind" && objectjson.StringOf(value) == c.kind.Kind:
		case !c.isShared(m.Name), m.Name == "metadata" && tellsVersions(value):
			return nil, false
		}
		out = append(objectjson.AppendName(out, m.Name), value...)
	}
	return append(out, '}'), true
}

// tellsVersions of a patch of metadata that names versions of objects.
func tellsVersions(patch []byte) bool {
	s := objectjson.NewScanner(patch)
	for name := range s.Values() {
		if name == "managedFields" || strings.HasPrefix(name, "$patch") {
			return true
		}
	}
	return s.Failed() || aboutVersions.Match(patch)
}

// sharesOperations of a JSON patch: each reads and writes in a part that is shared. The paths are
// read as the cluster reads them.
func (c *call) sharesOperations(patch []byte) bool {
	operations, err := jsonpatch.DecodePatch(patch)
	if err != nil || aboutVersions.Match(patch) {
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
