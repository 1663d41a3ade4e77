package conversion

import (
	"bytes"

	"github.com/claimbridge/claimbridge/conversion/internal/v1alpha3"
)

// Unread says what a converted object keeps for the way back where no driver looks for it.
type Unread struct {
	// Parameters is set when a parametersRef became an entry of ours.
	Parameters bool
	// Handle is set when the data of a classic handle became an entry of ours.
	Handle bool
}

// How entries of ours are written: compact, members in the order of their names. In a string the quotes would be escaped.
var (
	parametersWritten = []byte(`"kind":"` + v1alpha3.KindClassicSpec + `","parametersRef":`)
	handleWritten     = []byte(`"apiVersion":"` + v1alpha3.EntryAPIVersion + `","data":`)
)

// FindUnread looks at an object that was converted to the newest version. It costs two passes over the bytes, far less than
// the conversion. Parameters of a driver that look like an entry of ours are taken for one.
func FindUnread(converted []byte) Unread {
	return Unread{bytes.Contains(converted, parametersWritten), bytes.Contains(converted, handleWritten)}
}
