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

// canRepair reports whether a write may repair an old object that cannot be read. Only a write in the stored version
// may: annotations of an older version can change the stored status, which cannot be compared with an unreadable one.
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
	in, notValidated, err := readForRepair(r, unreadable)
	if err != nil {
		return Result{}, err
	}
	in.mode.isSpecUnreadable = r.Operation == UpdateStatus && memberOf(in.new.text, "spec") == nil
	result, err := validateInput(ctx, in)
	return withRepairWarning(result, notValidated, unreadable), err
}

// readForRepair reads a write but leaves out the unreadable parts of the stored object. It returns a description of
// what is then not validated. If the written part of the old object can be read, it is compared with the new one as
// usual: an allocation must not change only because the spec is unreadable. Otherwise the new part is read alone: the
// client may write that part, and no other part changes.
func readForRepair(r Request, unreadable *unreadableError) (in *input, notValidated string, err error) {
	ignoredPart := r.Operation.otherPart()
	object, err := withoutMember(r.Object, ignoredPart)
	oldObject, oldErr := withoutMember(r.OldObject, ignoredPart)
	if err != nil || oldErr != nil {
		return nil, "", unreadable
	}
	onlyWrittenPart := r
	onlyWrittenPart.Object, onlyWrittenPart.OldObject = object, oldObject
	in, err = read(onlyWrittenPart)
	if !errors.As(err, new(*unreadableError)) {
		return in, "the " + ignoredPart + " is not validated", err
	}
	in, err = readWithoutOld(r)
	if err != nil {
		in, err = readWithoutOld(onlyWrittenPart)
	}
	return in, "the object is not compared with the stored one", err
}

// readWithoutOld reads a write with nothing to compare it with: as a create, or as the first status.
func readWithoutOld(r Request) (*input, error) {
	if r.Operation == Update {
		r.Operation = Create
		r.OldObject = nil
		return read(r)
	}
	var err error
	if r.OldObject, err = withoutMember(r.Object, "status"); err != nil {
		return nil, err
	}
	return read(r)
}

// withRepairWarning adds a warning to the result of an allowed write, which says what was not validated and why.
func withRepairWarning(result Result, notValidated string, unreadable *unreadableError) Result {
	if len(result.Errors) == 0 {
		result.Warnings = append(result.Warnings,
			shortWarning(fmt.Sprintf("%s: the stored object cannot be read: %v", notValidated, unreadable.err)))
	}
	return result
}

// isBeingDeleted reports whether an object that may be unreadable has a deletionTimestamp, which only an API server
// sets.
func isBeingDeleted(object []byte) bool {
	var deletedAt *metav1.Time
	text := memberOf(memberOf(object, "metadata"), "deletionTimestamp")
	return json.Unmarshal(text, &deletedAt) == nil && deletedAt != nil
}

// memberOf returns the encoded value of a member of a JSON object, or nil if it is absent.
func memberOf(object []byte, name string) []byte {
	members, _, err := objectjson.Members(object)
	if err != nil {
		return nil
	}
	return objectjson.Get(members, name)
}

// withoutMember returns an object without a member. All others keep their bytes.
func withoutMember(object []byte, name string) ([]byte, error) {
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
