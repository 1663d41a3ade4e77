package conversion

import (
	"bytes"
	"slices"

	"github.com/claimbridge/claimbridge/internal/conversion/hub"
)

// Unread says which data of an object is only in entries of claimbridge, which drivers ignore.
type Unread struct {
	// Parameters is set if a parametersRef is in an entry.
	Parameters bool
	// Handle is set if the data of a resource handle is in an entry, or in its chunks.
	Handle bool
	// Controller is set if the controller of a spec is in an entry.
	Controller bool
	// Allocator is set if the controller of an allocation is in an entry.
	Allocator bool
}

// Texts of entries of claimbridge. Entries are written without white space, their members in the order of their names.
// A string in an object does not contain these texts, because its quotes are escaped. A large entry is
// split into chunks, whose kind is Part.
var (
	entryWritten      = []byte(`"apiVersion":"` + hub.EntryAPIVersion + `"`)
	parametersWritten = [][]byte{
		[]byte(`"kind":"` + hub.KindClassicSpec + `","parametersRef":`),
		[]byte(`"kind":"` + hub.KindChunk + `","of":"` + hub.KindClassicSpec + `"`),
	}
	handleWritten = [][]byte{
		[]byte(`"apiVersion":"` + hub.EntryAPIVersion + `","data":`),
		[]byte(`"kind":"` + hub.KindChunk + `","of":"` + hub.KindResourceHandle + `"`),
	}
	controllerWritten = []byte(`"kind":"` + hub.KindControlPlaneClaim + `"}`)
	allocatorWritten  = []byte(`"kind":"` + hub.KindControlPlaneAllocation + `"`)
)

// FindUnread searches the text of an object that was converted to v1alpha3 or a later version. Parameters of a driver
// that look like an entry of claimbridge count as one.
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
