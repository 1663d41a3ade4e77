package validation

import (
	"errors"
	"fmt"
	"strings"

	"github.com/claimbridge/claimbridge/api"
	"github.com/claimbridge/claimbridge/internal/conversion"
)

// read parses the objects of a request. Objects of any API group are valid, since the CRD of claims may have another
// one.
func read(r Request) (_ *input, err error) {
	if err := validateRequest(r); err != nil {
		return nil, err
	}
	if claimReaders[conversion.Stored()] == nil {
		return nil, fmt.Errorf("no rules for %s, the version in which claims are stored", conversion.Stored())
	}
	in := &input{operation: r.Operation}
	in.new.parsed = parseStrictly(r.Object)
	in.old.parsed = parseStrictly(r.OldObject)
	in.version, in.kind, err = versionAndKind(in.new.parsed, r.Object)
	if err != nil {
		return nil, fmt.Errorf("object: %w", err)
	}
	if err := in.checkOldObject(r.OldObject); err != nil {
		return nil, err
	}
	in.release, err = validatingRelease(in.version, r.Release)
	if err != nil {
		return nil, err
	}
	in.storedRelease, err = validatingRelease(conversion.Stored(), r.StoredRelease)
	if err != nil {
		return nil, fmt.Errorf("stored object: %w", err)
	}
	if in.kind == templateKind && r.Operation == UpdateStatus {
		return nil, errors.New("a ResourceClaimTemplate has no status to update")
	}
	in.paths = pathsOf(in.version, in.kind)
	if r.OldObject != nil {
		if err := in.old.read(r.OldObject, in.version, in.kind, in.release); err != nil {
			return nil, &unreadableError{err}
		}
	}
	if err := in.new.read(r.Object, in.version, in.kind, in.release); err != nil {
		return nil, fmt.Errorf("object: %w", err)
	}
	in.dropFields()
	in.readSubRequests()
	return in, nil
}

// checkOldObject returns an error if the version or kind of the old object differs from that of the new one.
func (in *input) checkOldObject(object []byte) error {
	if object == nil {
		return nil
	}
	version, kind, err := versionAndKind(in.old.parsed, object)
	if err != nil {
		return fmt.Errorf("oldObject: %w", err)
	}
	if version != in.version || kind != in.kind {
		return fmt.Errorf("oldObject: version and kind %s %s: must be those of object, %s %s",
			version, kind, in.version, in.kind)
	}
	return nil
}

// unreadableError is the error for an old object whose fields have other types than those of its version. An edit of
// etcd or an earlier schema can cause it, but no write. A write that repairs the object must not be rejected because of
// it.
type unreadableError struct{ err error }

func (e *unreadableError) Error() string {
	return "oldObject: " + e.err.Error() + "; repair it through " + conversion.Stored()
}

func (e *unreadableError) Unwrap() error { return e.err }

// validateRequest returns an error for an unknown operation, and for a missing or superfluous object.
func validateRequest(r Request) error {
	switch {
	case operationsOf[r.Operation] == 0:
		return fmt.Errorf("operation %q: must be one of %s, %s, %s, %s",
			r.Operation, Create, Update, UpdateStatus, Delete)
	case len(r.Object) == 0:
		return fmt.Errorf("object: is required for %s", r.Operation)
	case r.Operation == Create && len(r.OldObject) > 0:
		return fmt.Errorf("oldObject: must be empty for %s", Create)
	case r.Operation != Create && len(r.OldObject) == 0:
		return fmt.Errorf("oldObject: is required for %s", r.Operation)
	}
	return nil
}

// parseStrictly parses an object of strict JSON without unknown fields, as an API server sends it. It returns nil for
// any other object: [object.read] decodes it completely.
func parseStrictly(text []byte) *conversion.ParsedObject {
	if len(text) == 0 {
		return nil
	}
	o, err := conversion.Parse(text)
	if err != nil {
		return nil
	}
	if len(o.Unknown()) > 0 {
		return nil
	}
	return o
}

func versionAndKind(o *conversion.ParsedObject, text []byte) (version, kind string, err error) {
	var header conversion.Header
	if o != nil {
		header = o.Header()
	} else if header, err = conversion.ReadHeader(text); err != nil {
		return "", "", err
	}
	if claimReaders[header.Version] == nil {
		return "", "", fmt.Errorf("apiVersion: no rules for %.100q, only for %s",
			header.APIVersion(), strings.Join(api.Names(), ", "))
	}
	if header.Kind != claimKind && header.Kind != templateKind {
		return "", "", fmt.Errorf("kind: %.100q is neither %s nor %s", header.Kind, claimKind, templateKind)
	}
	return header.Version, header.Kind, nil
}
