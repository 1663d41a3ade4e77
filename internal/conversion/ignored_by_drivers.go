package conversion

import (
	"bytes"
	"slices"

	"github.com/claimbridge/claimbridge/internal/conversion/hub"
)

// IgnoredByDrivers reports which data of an object is only in entries of claimbridge, which drivers ignore.
type IgnoredByDrivers struct {
	// Parameters is set if a parametersRef is in an entry.
	Parameters bool
	// Handle is set if the data of a resource handle is in an entry, or in its chunks.
	Handle bool
	// Controller is set if the controller of a spec is in an entry.
	Controller bool
	// Allocator is set if the controller of an allocation is in an entry.
	Allocator bool
}

// Patterns in the JSON of entries. Entries are written without white space, with their members in the order of their
// names. A string in an object cannot contain a pattern, because its quotes are escaped. A large entry is split into
// chunks, whose kind is Part.
var (
	entryPattern       = []byte(`"apiVersion":"` + hub.EntryAPIVersion + `"`)
	parametersPatterns = [][]byte{
		[]byte(`"kind":"` + hub.KindClassicSpec + `","parametersRef":`),
		[]byte(`"kind":"` + hub.KindChunk + `","of":"` + hub.KindClassicSpec + `"`),
	}
	handlePatterns = [][]byte{
		[]byte(`"apiVersion":"` + hub.EntryAPIVersion + `","data":`),
		[]byte(`"kind":"` + hub.KindChunk + `","of":"` + hub.KindResourceHandle + `"`),
	}
	controllerPattern = []byte(`"kind":"` + hub.KindControlPlaneClaim + `"}`)
	allocatorPattern  = []byte(`"kind":"` + hub.KindControlPlaneAllocation + `"`)
)

// FindIgnoredByDrivers searches the text of an object that was converted to v1alpha3 or a later version. Parameters of
// a driver that look like an entry of claimbridge count as one.
func FindIgnoredByDrivers(converted []byte) IgnoredByDrivers {
	first := bytes.Index(converted, entryPattern)
	if first < 0 {
		return IgnoredByDrivers{}
	}
	contains := func(pattern []byte) bool { return bytes.Contains(converted[first:], pattern) }
	return IgnoredByDrivers{
		Parameters: slices.ContainsFunc(parametersPatterns, contains),
		Handle:     slices.ContainsFunc(handlePatterns, contains),
		Controller: contains(controllerPattern),
		Allocator:  contains(allocatorPattern),
	}
}
