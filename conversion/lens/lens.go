package lens

import (
	"fmt"
	"slices"

	"github.com/claimbridge/claimbridge/api"
	"github.com/claimbridge/claimbridge/conversion"
)

// Lens between two versions of a kind. It is safe for concurrent use.
type Lens struct {
	kind string
	// served is the apiVersion of the cluster's objects, shown that of the client's.
	served, shown     string
	toShown, toServed map[string]edit
	// view is the version shown where it is one that is only looked at.
	view string
}

// Between the version that a cluster serves and the one that is shown, as "v1" and "v1beta1", of a
// kind, as "ResourceClaim". v1beta1, v1beta2 and v1 have lenses over each other, and v1alpha1 to
// v1alpha3 over v1. The error is that there is none.
func Between(served, shown, kind string) (*Lens, error) {
	l := &Lens{kind: kind, served: api.Group + "/" + served, shown: api.Group + "/" + shown}
	switch {
	case served == conversion.Stored() && slices.Contains(conversion.Versions(), shown) && !api.IsNative(shown) &&
		slices.Contains(Kinds(shown), kind):
		l.view = shown
		return l, nil
	case served == shown || !api.IsNative(served) || !api.IsNative(shown) || !slices.Contains(Kinds(shown), kind):
		return nil, fmt.Errorf("there is no way between %s and %s of %s for %s", served, shown, api.Group, kind)
	}
	l.edit(edits[shown][kind], edits[served][kind])
	return l, nil
}

// Kinds of a version that there are lenses for, in the order of their names.
func Kinds(version string) []string {
	if !api.IsNative(version) {
		return []string{api.KindClaim, api.KindTemplate}
	}
	return []string{"DeviceClass", api.KindClaim, api.KindTemplate, "ResourceSlice"}
}

// Down appends what the client's version shows of an object of the cluster. An apiVersion or a kind
// that the object does not say, as items of a list do not, the answer does not say either.
func (l *Lens) Down(out, served []byte) ([]byte, error) {
	if l.view != "" {
		return l.look(out, served)
	}
	return rewrite(out, served, l.toShown)
}

// Up appends an object of the client, or a part of one, in the cluster's version, and adds nothing
// that it does not say. Owners in old versions of claims, templates, classes and slices get the
// cluster's, so that they are found when the old version is gone. A view takes none.
func (l *Lens) Up(out, object []byte) ([]byte, error) {
	if l.view != "" {
		return out, fmt.Errorf("objects of %s can only be looked at", l.shown)
	}
	return rewrite(out, object, l.toServed)
}

var null = []byte("null")
