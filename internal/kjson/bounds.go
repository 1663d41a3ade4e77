package kjson

import (
	"bytes"
	"fmt"
	"strings"
)

// What is read is built in memory, and an empty item of three bytes can be a struct of a hundred.
// So it is bounded what is built of one value. Nothing that an API server of any release could
// store comes near:
//
//   - MaxList is for lists that the API itself limits, to 256 items at most (status.reservedFor
//     since 1.32), most of them to 32 or less. Four times that, or sixteen times the 64 of
//     status.allocation.devices.config, leaves room for what a leftover repeats, and for limits
//     that were looser once.
//   - MaxBuilt in bytes is for all lists and maps together, those of node selectors above all,
//     which nothing limits but the size of the object: etcd takes 1.5 MiB. There a term with a
//     requirement, a key of its own and an operator takes 17 bytes, and 104 of memory: 9.2 MiB.
//     Labels take 8 and 48: 9 MiB; values 5 and 16: 4.8 MiB. Only terms that are empty and match no
//     node, and values that say the same again, are smaller.
//   - MaxMembers is for members of an object whose fields are known: ObjectMeta has 15. Unknown
//     ones an API server prunes before it converts.
//   - maxPairs is for labels and annotations: 1.5 MiB hold 196,608 pairs like "abc":"", of eight bytes in storage.
const (
	MaxList    = 4 * longestList
	MaxBuilt   = 12 << 20
	MaxMembers = 1024
	maxPairs   = 1 << 18
)

// longestList that a release stores.
const longestList = 256

// pairSize in bytes is what a pair of a map takes beside its value: the key, and as much again for slots that are free.
const pairSize = 32

var (
	errLongList = &DecodeError{
		Why: fmt.Sprintf("has more than %d items, and no release stores a list of claims with more than %d",
			MaxList, longestList),
	}
	errMuchToBuild = &DecodeError{
		Why: fmt.Sprintf("holds so many items that reading it takes more than %d MiB", MaxBuilt>>20),
	}
)

// hasLimit reports whether lists are bounded by [MaxList], by the package of the struct that holds
// them and the type of their items: the API of claims limits all its lists but the results of a
// handle, the types of Kubernetes' own have no such limits.
func hasLimit(ownerPackage, item string) bool {
	return !strings.HasPrefix(ownerPackage, "k8s.io/") && item != "v1alpha2.DriverAllocationResult"
}

// checkBounds walks over a text before a value is built from it. Where the text does not fit the
// plan nothing is said: reading does that.
func checkBounds(text []byte, p *plan) error {
	if len(text) < 3*MaxList || bytes.Count(text, []byte{','}) < MaxList { // three bytes an item, and a comma
		return nil
	}
	b := bounds{Scanner: New(text)}
	return b.value(p, false)
}

// bounds of a value that is walked over.
type bounds struct {
	Scanner
	built uintptr
}

func (b *bounds) value(p *plan, limited bool) error {
	switch {
	case p.nature == pointer:
		return b.value(p.item, limited)
	case p.nature == structure && b.Is('{'):
		for name := range b.Members() {
			if f := p.named(name, 0); f == nil {
				b.Skip()
			} else if err := b.value(f.plan, f.limited); err != nil {
				return Within(f.name, err)
			}
		}
	case p.nature == table && b.Is('{'):
		for range b.Members() {
			if err := b.item(p, pairSize); err != nil {
				return err
			}
		}
	case p.nature == list && b.Is('['):
		for n := range b.Elements() {
			if n == MaxList && limited {
				return errLongList
			}
			if err := b.item(p, 0); err != nil {
				return Within(fmt.Sprintf("[%d]", n), err)
			}
		}
	default:
		b.Skip()
	}
	return nil
}

func (b *bounds) item(of *plan, more uintptr) error {
	if b.built += of.item.typ.Size() + more; b.built > MaxBuilt {
		return errMuchToBuild
	}
	return b.value(of.item, false)
}
