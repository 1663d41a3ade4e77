package conversion

import (
	"bytes"
	"slices"

	"github.com/claimbridge/claimbridge/conversion/internal/hub"
)

// Unread says what a converted object keeps for the way back where no driver looks for it.
type Unread struct {
	// Parameters is set when a parametersRef became an entry of ours.
	Parameters bool
	// Handle is set when the data of a classic handle became an entry of ours, or several parts of one.
	Handle bool
	// Controller is set when that of a spec became an entry of ours.
	Controller bool
	// Allocator is set when the controller of an allocation became an entry of ours.
	Allocator bool
}

// How entries of claimbridge are written: compact, members in the order of their names. In a string the
// quotes would be escaped. Large ones are in parts.
var (
	entryWritten      = []byte(`"apiVersion":"` + hub.EntryAPIVersion + `"`)
	parametersWritten = [][]byte{
		[]byte(`"kind":"` + hub.KindClassicSpec + `","parametersRef":`),
		[]byte(`"kind":"` + hub.KindPart + `","of":"` + hub.KindClassicSpec + `"`),
	}
	handleWritten = [][]byte{
		[]byte(`"apiVersion":"` + hub.EntryAPIVersion + `","data":`),
		[]byte(`"kind":"` + hub.KindPart + `","of":"` + hub.KindResourceHandle + `"`),
	}
	controllerWritten = []byte(`"kind":"` + hub.KindControlPlaneClaim + `"}`)
	allocatorWritten  = []byte(`"kind":"` + hub.KindControlPlaneAllocation + `"`)
)

// FindUnread looks at an object that was converted to v1alpha3 or a later version. It costs a few
// passes over the bytes, far less than the conversion. Parameters of a driver that look like an
// entry of claimbridge are taken for one.
func FindUnread(converted []byte) Unread {
	first := bytes.Index(converted, entryWritten)
	if first < 0 {
		return Unread{}
	}
	contains := func(written []byte) bool { return bytes.Contains(converted[first:], written) }
	return Unread{
		Parameters: slices.ContainsFunc(parametersWritten, contains),
		Handle:     slices.ContainsFunc(handleWritten, contains),
		Controller: contains(controllerWritten), Allocator: contains(allocatorWritten),
	}
}
