package validation

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/claimbridge/claimbridge/internal/conversion"
	"github.com/claimbridge/claimbridge/internal/objectjson"
)

// canRepair reports whether a write may repair an old object that cannot be read. It must be in the stored version, in
// which the object that is sent is stored. An older version can change the stored status by annotations, which cannot
// be compared with an unreadable one.
func canRepair(r Request) bool {
	header, err := conversion.ReadHeader(r.Object)
	return err == nil && header.Version == conversion.Stored()
}

// validateRepair validates the part that a write stores, and ignores the other one, which the API server takes from the
// old object: the status on a write of the main resource, the spec on a write of the status. An object that is being
// deleted is not validated.
func validateRepair(ctx context.Context, r Request, unreadable *unreadableError) (Result, error) {
	if isBeingDeleted(r.Object) {
		return withRepairWarning(Result{}, "the object, which is being deleted, is not validated", unreadable), nil
	}
	in, skipped, err := readForRepair(r, unreadable)
	if err != nil {
		return Result{}, err
	}
	in.mode.isSpecUnreadable = r.Operation == UpdateStatus && memberOf(in.new.text, "spec") == nil
	result, err := validateInput(ctx, in)
	return withRepairWarning(result, skipped, unreadable), err
}

// readForRepair reads a write without what cannot be read of the stored object, and returns what is not validated.
// Where the written part of the old object can be read, both are compared as usual, so that an allocation cannot change
// although the spec is unreadable. Otherwise the new part is read alone: the client may write that part, and no other
// part changes.
func readForRepair(r Request, unreadable *unreadableError) (in *input, skipped string, err error) {
	ignoredPart := r.Operation.otherPart()
	object, err := without(r.Object, ignoredPart)
	oldObject, oldErr := without(r.OldObject, ignoredPart)
	if err != nil || oldErr != nil {
		return nil, "", unreadable
	}
	written := r
	written.Object, written.OldObject = object, oldObject
	in, err = read(written)
	if !errors.As(err, new(*unreadableError)) {
		return in, "the " + ignoredPart + " is not validated", err
	}
	if in, err = readWithoutOld(r); err != nil {
		in, err = readWithoutOld(written)
	}
	return in, "the object is not compared with the stored one", err
}

// readWithoutOld reads a write with nothing to compare it with: as a create, or as the first status.
func readWithoutOld(r Request) (*input, error) {
	if r.Operation == Update {
		r.Operation, r.OldObject = Create, nil
		return read(r)
	}
	var err error
	if r.OldObject, err = without(r.Object, "status"); err != nil {
		return nil, err
	}
	return read(r)
}

// withRepairWarning adds a warning about what is not validated to the result of an allowed write.
func withRepairWarning(v Result, skipped string, unreadable *unreadableError) Result {
	if len(v.Errors) == 0 {
		v.Warnings = append(v.Warnings,
			shortWarning(fmt.Sprintf("%s: the stored object cannot be read: %v", skipped, unreadable.err)))
	}
	return v
}

// isBeingDeleted reports whether an object that may be unreadable is being deleted. Clients cannot write that through
// an API server.
func isBeingDeleted(object []byte) bool {
	var since *metav1.Time
	return json.Unmarshal(memberOf(memberOf(object, "metadata"), "deletionTimestamp"), &since) == nil && since != nil
}

// memberOf returns the encoded member of a JSON object; nil when there is none of the name.
func memberOf(object []byte, name string) []byte {
	members, _, err := objectjson.Members(object)
	if err != nil {
		return nil
	}
	return objectjson.Get(members, name)
}

// without returns an object without a member. All others keep their bytes.
func without(object []byte, name string) ([]byte, error) {
	members, _, err := objectjson.Members(object)
	if err != nil {
		return nil, err
	}
	out := []byte{'{'}
	for _, m := range members {
		if m.Name != name {
			out = append(objectjson.AppendName(out, m.Name), m.Value...)
		}
	}
	return append(out, '}'), nil
}
