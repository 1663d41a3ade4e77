package kjson

import (
	"fmt"
	"strings"
)

// What is read is built in memory, and an empty item of three bytes can be a struct of a hundred. So it is bounded what is
// built of one value. Nothing that an API server of any release could store comes near:
//
//   - MaxList is for lists that the API itself limits, to 256 items at most (status.reservedFor since 1.32), most of them to 32
//     or less. Four times that, or sixteen times the 64 of status.allocation.devices.config, leaves room for what a leftover
//     repeats, and for limits that were looser once.
//   - MaxBuilt in bytes is for all lists together, those of node selectors above all, which nothing limits but the size of the
//     object: etcd takes 1.5 MiB, which hold 786,432 items of two bytes each, the shortest that protobuf has. An item of a
//     node selector takes at most 56 bytes of memory, so all of them 42 MiB.
//   - MaxMembers is for members of an object whose fields are known: ObjectMeta has 15. Unknown ones an API server prunes
//     before it converts.
//   - maxPairs is for labels and annotations: 1.5 MiB hold 196,608 pairs like "abc":"", of eight bytes in storage.
const (
	MaxList    = 4 * longestList
	MaxBuilt   = 48 << 20
	MaxMembers = 1024
	maxPairs   = 1 << 18
)

// longestList that a release stores.
const longestList = 256

// pairSize in bytes is what a pair of a map takes beside its value: the key, and as much again for slots that are free.
const pairSize = 32

var (
	errLongList    = &DecodeError{Why: fmt.Sprintf("has more than %d items, and no release stores a list of claims with more than %d", MaxList, longestList)}
	errMuchToBuild = &DecodeError{Why: fmt.Sprintf("holds so many items that reading it takes more than %d MiB", MaxBuilt>>20)}
)

// Limited reports whether a list is bounded by [MaxList], by the package of the struct that holds it and the type of its items:
// the API of claims limits all its lists but the results of a handle, the types of Kubernetes' own have no such limits.
func Limited(ownerPackage, item string) bool { return limits(ownerPackage) && hasLimit(item) }

func limits(ownerPackage string) bool { return !strings.HasPrefix(ownerPackage, "k8s.io/") }

func hasLimit(item string) bool { return item != "v1alpha2.DriverAllocationResult" }
