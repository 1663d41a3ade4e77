package lens

import (
	"fmt"
	"maps"
	"slices"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/claimbridge/claimbridge/api"
	"github.com/claimbridge/claimbridge/conversion"
	"github.com/claimbridge/claimbridge/conversion/internal/merge"
)

// Lens of one version and kind. It is safe for concurrent use.
type Lens struct {
	version, kind string
	// stored is the apiVersion of stored objects, shown that of the lens.
	stored, shown string
	way           way
	// main and status say what of an object a write to the main resource and one to /status reach; status is nil where there is none.
	main, status *merge.Shape
}

// way between a version and v1. What it is given may be anything; what it gives is an object of JSON.
type way interface {
	down(out, stored []byte) ([]byte, error)
	up(out, object []byte, as form) ([]byte, error)
	// fits refuses what v1 would not take of what the way itself has put into an object of v1.
	fits(object []byte) error
}

// form of an object that goes up.
type form struct {
	fragment bool
	// request of the stored claim that an allocation is for, where the version names none.
	request string
}

// New lens of a version and kind, as "v1beta1" and "ResourceClaim". The error is that the version does not have the kind.
func New(version, kind string) (*Lens, error) {
	if !slices.Contains(Kinds(version), kind) {
		return nil, fmt.Errorf("there is no %s in %s of %s: it has %v", kind, version, api.Group, Kinds(version))
	}
	l := &Lens{
		version: version, kind: kind, stored: api.Group + "/" + conversion.Stored(), shown: api.Group + "/" + version,
		main: shapes[kind].main, status: shapes[kind].status,
	}
	if !api.IsNative(version) {
		l.way, l.main, l.status = newClassicWay(l), shapes[kind].classicMain, shapes[kind].classicStatus
	} else {
		l.way = newLaterWay(l, edits[version][kind])
	}
	return l, nil
}

// Versions that there are lenses for, oldest first: those of package conversion but the stored one.
func Versions() []string {
	return slices.DeleteFunc(conversion.Versions(), func(version string) bool { return version == conversion.Stored() })
}

// laterVersions say what v1 says, and have all its kinds. The others have claims and templates alone, and a shape of their own.
var laterVersions = slices.DeleteFunc(Versions(), func(version string) bool { return !api.IsNative(version) })

// Kinds of a version, in the order of their names; none for a version that there is no lens for.
func Kinds(version string) []string {
	switch {
	case !slices.Contains(Versions(), version):
		return nil
	case !api.IsNative(version):
		return []string{api.KindClaim, api.KindTemplate}
	}
	return slices.Sorted(maps.Keys(shapes))
}

// Down appends what the version shows of a stored object. An apiVersion or a kind that the object does not say, as items of a list do
// not, the answer does not say either.
func (l *Lens) Down(out, stored []byte) ([]byte, error) {
	shown, err := l.way.down(out, stored)
	if err != nil {
		return out, err
	}
	return shown, nil
}

// Up appends an object of the version as v1, to be created. Owners in old versions of claims, templates, classes and slices get v1,
// so that they are found when the old version is gone.
func (l *Lens) Up(out, object []byte) ([]byte, error) { return l.upward(out, object, form{}) }

// Fragment appends what a client applies as v1. It adds nothing that the fragment does not say.
func (l *Lens) Fragment(out, fragment []byte) ([]byte, error) {
	return l.upward(out, fragment, form{fragment: true})
}

// FragmentStatus is Fragment for what a client applies to /status of a live object: an allocation of v1alpha1 or v1alpha2, which
// name no request, is for the first one of the live claim. Other versions do not look at the live object, which may be nil.
func (l *Lens) FragmentStatus(out, live, fragment []byte) ([]byte, error) {
	return l.upward(out, fragment, form{fragment: true, request: firstRequest(live)})
}

func (l *Lens) upward(out, object []byte, as form) ([]byte, error) {
	up, err := l.way.up(out, object, as)
	if err == nil {
		err = l.way.fits(up[len(out):])
	}
	if err != nil {
		return out, err
	}
	return up, nil
}

// refuse a value that v1 has no place for.
func refuse(path, why string) error { return field.Forbidden(field.NewPath(path), why) }

var null = []byte("null")
