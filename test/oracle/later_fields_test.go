package oracle

import (
	"reflect"
	"strings"
	"testing"

	"github.com/claimbridge/claimbridge/api"
	"github.com/claimbridge/claimbridge/test/objects"
)

// A field of the newest version that v1alpha3 does not have came with a later release, so fieldsSince has it, or what it is in.
func TestFieldsSinceHasEveryLaterField(t *testing.T) {
	before := map[string]bool{}
	for path := range objects.EachLeaf(reflect.TypeOf(api.New("v1alpha3", api.KindClaim)).Elem()) {
		before[path] = true
	}
	unknown := unknownTo("1.33")
	for path := range objects.EachLeaf(reflect.TypeOf(api.New(api.Newest().Name, api.KindClaim)).Elem()) {
		path = strings.ReplaceAll(path, ".exactly.", ".")
		if before[path] || strings.HasPrefix(path, "status.claimbridge") {
			continue
		}
		known, in := false, ""
		for name := range strings.SplitSeq(path, ".") {
			known = known || unknown[name] || unknown[in+"."+name]
			in = name
		}
		if !known {
			t.Errorf("%s came after 1.33, and fieldsSince does not say when", path)
		}
	}
}
