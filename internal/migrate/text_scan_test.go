package migrate

import (
	"testing"

	"github.com/claimbridge/claimbridge/api"
	"github.com/claimbridge/claimbridge/internal/release"
)

// TestMovedFieldsInTexts checks that each field that moved into `exactly` is found in a text for an older version.
func TestMovedFieldsInTexts(t *testing.T) {
	for _, field := range api.RequestFields() {
		text := "devices:\n  requests:\n  - name: r\n    deviceClassName: c\n    " + field.Name + ": x\n"
		c := New(Options{To: release.Target{Version: "v1"}})
		found := c.movedFieldsAndVersionsIn([]byte(text), func([]byte) []mention { return nil })
		isFound := false
		for _, l := range found {
			isFound = isFound || l.field == field.Name
		}
		if isFound != field.InExactly {
			t.Errorf("%s: found %v", field.Name, found)
		}
	}
}
