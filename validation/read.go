package validation

import (
	"errors"
	"fmt"
	"strings"

	"github.com/claimbridge/claimbridge/api"
	"github.com/claimbridge/claimbridge/conversion"
)

// read the objects of a request. Objects of any API group are taken, since a claim's CRD may be
// served under another one. Anyone who gets a write closes it.
func read(r Request) (_ *write, err error) {
	if err := complete(r); err != nil {
		return nil, err
	}
	if versions[conversion.Stored()] == nil {
		return nil, fmt.Errorf("no rules for %s, the version in which claims are stored", conversion.Stored())
	}
	w := &write{op: r.Operation}
	newer, older := open(r.Object), open(r.OldObject)
	w.new, w.old = object{opened: newer}, object{opened: older}
	if w.version, w.kind, err = versionAndKind(newer, r.Object); err != nil {
		return nil, fmt.Errorf("object: %w", err)
	}
	if err := w.checkOld(older, r.OldObject); err != nil {
		return nil, err
	}
	if w.release, err = judgeOf(w.version, r.Release); err != nil {
		return nil, err
	}
	if w.storedRelease, err = judgeOf(conversion.Stored(), r.StoredRelease); err != nil {
		return nil, fmt.Errorf("as stored: %w", err)
	}
	w.setPaths()
	if w.kind == templateKind && r.Operation == UpdateStatus {
		return nil, errors.New("a ResourceClaimTemplate has no status to update")
	}
	if r.OldObject != nil {
		if err := w.old.read(r.OldObject, w.version, w.kind, w.release); err != nil {
			return nil, &unreadable{err}
		}
	}
	if err := w.new.read(r.Object, w.version, w.kind, w.release); err != nil {
		return nil, fmt.Errorf("object: %w", err)
	}
	w.drop()
	return w, nil
}

// checkOld tells that an old object, if there is one, is of the version and kind of the new one.
func (w *write) checkOld(old *conversion.Opened, object []byte) error {
	if object == nil {
		return nil
	}
	version, kind, err := versionAndKind(old, object)
	if err != nil {
		return fmt.Errorf("old object: %w", err)
	}
	if version != w.version || kind != w.kind {
		return fmt.Errorf("the old object is a %s of %s, the new one a %s of %s", kind, version, w.kind, w.version)
	}
	return nil
}

// setPaths sets where the version and kind have the parts that rules judge.
func (w *write) setPaths() {
	w.flat = api.HasDevices(w.version) && !api.HasExactly(w.version)
	w.native = api.IsNative(w.version)
	w.metadataPath, w.specPath, w.nodesPath = metadataPath, specPath, nodeSelectorPath
	if !api.HasDevices(w.version) {
		w.nodesPath = allocationPath.Child("availableOnNodes")
	}
	if w.kind == templateKind {
		w.metadataPath, w.specPath = templateMetadataPath, templateSpecPath
	}
}

// unreadable is an old object that is not of its type. No write brings one into storage; an edit of
// etcd can, or a schema that was looser once. Anyone who mends it must not be refused because it is
// broken.
type unreadable struct{ err error }

func (u *unreadable) Error() string {
	return "old object: " + u.err.Error() + "; mend it through " + conversion.Stored()
}

func (u *unreadable) Unwrap() error { return u.err }

// complete refuses a request that lacks something, or has too much.
func complete(r Request) error {
	switch {
	case setOf[r.Operation] == 0:
		return fmt.Errorf("operation %q is none of %s, %s, %s, %s", r.Operation, Create, Update, UpdateStatus, Delete)
	case len(r.Object) == 0:
		return fmt.Errorf("%s without an object", r.Operation)
	case r.Operation == Create && len(r.OldObject) > 0:
		return errors.New("CREATE with an old object")
	case r.Operation != Create && len(r.OldObject) == 0:
		return fmt.Errorf("%s without an old object", r.Operation)
	}
	return nil
}

// open an object that is clean, as an API server sends it; nil when it is not, which has to be looked at more closely.
func open(text []byte) *conversion.Opened {
	if len(text) == 0 {
		return nil
	}
	o, err := conversion.Open(text)
	if err != nil {
		return nil
	}
	if len(o.Unknown()) > 0 {
		return nil
	}
	return o
}

func versionAndKind(o *conversion.Opened, text []byte) (version, kind string, err error) {
	var header conversion.Header
	if o != nil {
		header = o.Header()
	} else if header, err = conversion.ReadHeader(text); err != nil {
		return "", "", err
	}
	if versions[header.Version] == nil {
		return "", "", fmt.Errorf("apiVersion: no rules for %.100q, only for %s",
			header.APIVersion(), strings.Join(api.Names(), ", "))
	}
	if header.Kind != claimKind && header.Kind != templateKind {
		return "", "", fmt.Errorf("kind: %.100q is neither %s nor %s", header.Kind, claimKind, templateKind)
	}
	return header.Version, header.Kind, nil
}
