package validation

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/claimbridge/claimbridge/conversion"
	"github.com/claimbridge/claimbridge/internal/kjson"
)

// mends reports whether a write may mend an object that cannot be read. That takes the stored
// version: in it what is sent is what is stored, while an older one can say things about the stored
// status by annotation, and what cannot be read cannot be compared.
func mends(r Request) bool {
	header, err := conversion.ReadHeader(r.Object)
	return err == nil && header.Version == conversion.Stored()
}

// judgeMending judges what a write brings, and leaves the other part, which the API server takes
// from the old object, as it is: status on a write of the main resource, spec on a write of status.
// Where the same part of the old object can be read they are compared as ever, so that an
// allocation stays what it was although the spec is broken. Else the new part is judged alone: who
// wrote it had the right to write that part, and no other part changes. An object that is being
// deleted may go, whatever it is.
func judgeMending(ctx context.Context, r Request, unread *unreadable) (Verdict, error) {
	if deleting(r.Object) {
		return mended(Verdict{}, unread, "is not judged, since it is being deleted"), nil
	}
	part := "status"
	if r.Operation == UpdateStatus {
		part = "spec"
	}
	object, err := without(r.Object, part)
	old, oldErr := without(r.OldObject, part)
	if err != nil || oldErr != nil {
		return Verdict{}, unread
	}
	rest := r
	rest.Object, rest.OldObject = object, old
	how := "judged without its " + part
	w, err := read(rest)
	if errors.As(err, new(*unreadable)) { // so the same part is broken
		how = "judged without a look at the stored one"
		if w, err = readAlone(r); err != nil {
			w, err = readAlone(rest)
		}
	}
	if err != nil {
		return Verdict{}, err
	}
	w.specUnread = r.Operation == UpdateStatus && memberOf(w.new.text, "spec") == nil
	verdict, err := judge(ctx, w)
	return mended(verdict, unread, "is "+how), err
}

// readAlone reads a write with nothing to compare it with: a creation, or the first status.
func readAlone(r Request) (*write, error) {
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

// mended adds a warning to the verdict on a write that is allowed.
func mended(v Verdict, unread *unreadable, how string) Verdict {
	if len(v.Errors) == 0 {
		v.Warnings = append(v.Warnings,
			shortWarning(fmt.Sprintf("the new object %s: the stored one cannot be read: %v", how, unread.err)))
	}
	return v
}

// deleting reports whether an object that may be unreadable is being deleted. An API server does
// not let clients write that.
func deleting(object []byte) bool {
	var since *metav1.Time
	return json.Unmarshal(memberOf(memberOf(object, "metadata"), "deletionTimestamp"), &since) == nil && since != nil
}

// memberOf a JSON object, as it is written; nil when it has none of the name.
func memberOf(object []byte, name string) []byte {
	members, _, err := kjson.Members(object)
	if err != nil {
		return nil
	}
	return kjson.Get(members, name)
}

// without is an object that lacks one member. All others keep their bytes.
func without(object []byte, name string) ([]byte, error) {
	members, _, err := kjson.Members(object)
	if err != nil {
		return nil, err
	}
	out := []byte{'{'}
	for _, m := range members {
		if m.Name != name {
			out = append(kjson.AppendName(out, m.Name), m.Value...)
		}
	}
	return append(out, '}'), nil
}
