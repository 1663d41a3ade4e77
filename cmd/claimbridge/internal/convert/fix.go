package convert

import (
	"bytes"
	"cmp"
	"slices"
	"strings"

	"github.com/claimbridge/claimbridge/api"
	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/finding"
	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/problems"
	"github.com/claimbridge/claimbridge/internal/kjson"
)

// change of a JSON text: what stands from begin to end is replaced. All else stays as it is, byte for byte.
type change struct {
	begin, end int
	with       []byte
}

// changedText is a text with changes that are in its order.
func changedText(text []byte, changes []change) []byte {
	out := make([]byte, 0, len(text)+64*len(changes))
	at := 0
	for _, c := range changes {
		out = append(append(out, text[at:c.begin]...), c.with...)
		at = c.end
	}
	return append(out, text[at:]...)
}

// inOrder are changes in the order of the text, without those within others.
func inOrder(changes []change) []change {
	slices.SortFunc(changes, func(a, b change) int { return cmp.Or(a.begin-b.begin, b.end-a.end) })
	end := 0
	return slices.DeleteFunc(changes, func(c change) bool {
		within := c.end <= end
		end = max(end, c.end)
		return within
	})
}

// fixes are what has to change in an object of another kind, now that claims change their version, and can be changed without
// knowing more than the object says: where pods name their claims, which were found, and the version of classes and slices of the same
// shape.
func (c *converter) fixes(object []byte, apiVersion, kind string, pods []podClaim) (changes []change, done []problems.What) {
	for _, found := range pods {
		if found.fixed {
			changes, done = append(changes, found.change), append(done, ofFixedPod(found, api.HasDevices(c.to)))
		}
	}
	rule, same := c.sameShape(object, apiVersion, kind)
	if !same {
		return inOrder(changes), done
	}
	_, version, _ := strings.Cut(apiVersion, "/")
	where := slices.DeleteFunc(treeOf(object).children, func(t *tree) bool { return t.name != "apiVersion" })
	if len(where) == 1 { // of two nobody knows which one counts
		changes = append(changes, change{where[0].begin, where[0].end, kjson.Quote(api.Group + "/" + c.to)})
		done = append(done, problems.At(rule, "apiVersion", "is of "+version+", and written as "+c.to))
	}
	return inOrder(changes), done
}

// sameShape reports whether an object needs another version, and nothing else, and which rule says so.
func (c *converter) sameShape(object []byte, apiVersion, kind string) (rule finding.Rule, same bool) {
	group, version, _ := strings.Cut(apiVersion, "/")
	if group != api.Group || version == c.to {
		return 0, false
	}
	switch kind {
	case newClass:
		return finding.DeviceClassOfAnotherVersion, api.HasDevices(version) && api.HasDevices(c.to) && c.fieldOfClass(object) == ""
	case oldClass:
		structured := bytes.Contains(object, []byte(`"structuredParameters"`)) // since 1.30
		return finding.ResourceClassOfAnotherVersion, !api.HasDevices(version) && !api.HasDevices(c.to) && (!structured || c.to != "v1alpha1")
	case "ResourceSlice":
		return finding.ResourceSliceInFile, api.HasExactly(version) && api.HasExactly(c.to)
	}
	return 0, false
}

// isRight reports whether an object is what fixes make of one, so that those that are counted are the same before and after.
func (c *converter) isRight(object []byte, apiVersion, kind string) bool {
	classOrSlice := kind == newClass && api.HasDevices(c.to) || kind == oldClass && !api.HasDevices(c.to) || kind == "ResourceSlice" && api.HasExactly(c.to)
	if apiVersion == api.Group+"/"+c.to && classOrSlice {
		return true
	}
	return slices.ContainsFunc(wrongPodClaims(object, apiVersion, !api.HasDevices(c.to)), func(found podClaim) bool { return found.fixed })
}

// extendedResources came with a field of DeviceClass in this release.
const extendedResources = "1.34"

// fieldOfClass names the field of a DeviceClass that the version does not have.
func (c *converter) fieldOfClass(object []byte) string {
	spec := treeOf(object).member("spec")
	switch {
	case spec != nil && spec.is != '{' && spec.is != 'n':
		return "spec" // nobody knows
	case c.to != "v1alpha3" && spec.member("suitableNodes") != nil:
		return "spec.suitableNodes"
	case (c.to == "v1alpha3" || c.target.Release != "" && api.Minor(c.target.Release) < api.Minor(extendedResources)) && spec.member("extendedResourceName") != nil:
		return "spec.extendedResourceName"
	}
	return ""
}
