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
// old object: the status on a write of the main resource, the spec on a write of the status. Where the same part of the
// old object can be read both are compared as usual, so that an allocation cannot change although the spec is
// unreadable. Otherwise the new part is validated alone: the client may write that part, and no other part changes. An
// object that is being deleted is not validated.
func validateRepair(ctx context.Context, r Request, unread *unreadableError) (Result, error) {
	if isBeingDeleted(r.Object) {
		return withRepairWarning(Result{}, unread, "is not validated, since it is being deleted"), nil
	}
	part := "status"
	if r.Operation == UpdateStatus {
		part = "spec"
	}
	object, err := without(r.Object, part)
	old, oldErr := without(r.OldObject, part)
	if err != nil || oldErr != nil {
		return Result{}, unread
	}
	rest := r
	rest.Object, rest.OldObject = object, old
	how := "validated without its " + part
	in, err := read(rest)
	if errors.As(err, new(*unreadableError)) { // so the same part is unreadable
		how = "validated without a look at the stored one"
		if in, err = readWithoutOld(r); err != nil {
			in, err = readWithoutOld(rest)
		}
	}
	if err != nil {
		return Result{}, err
	}
	in.options.isSpecUnreadable = r.Operation == UpdateStatus && memberOf(in.new.text, "spec") == nil
	result, err := validateInput(ctx, in)
	return withRepairWarning(result, unread, "is "+how), err
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

// withRepairWarning adds a warning to the result on an allowed write.
func withRepairWarning(v Result, unread *unreadableError, how string) Result {
	if len(v.Errors) == 0 {
		v.Warnings = append(v.Warnings,
			shortWarning(fmt.Sprintf("the new object %s: the stored one cannot be read: %v", how, unread.err)))
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
