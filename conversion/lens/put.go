package lens

import (
	"bytes"
	"fmt"

	"github.com/claimbridge/claimbridge/conversion/internal/merge"
	"github.com/claimbridge/claimbridge/internal/kjson"
)

// Put appends the live object with what an object of the version changes of it, for an update of the main resource: the status
// stays as it is. The resourceVersion and the managedFields are those of the object if it says some; an empty list of
// managedFields empties them, as with any API server.
func (l *Lens) Put(out, live, object []byte) ([]byte, error) { return l.put(out, l.main, live, object) }

// PutStatus is Put for an update of /status: spec and metadata stay as they are, but for what says which object is meant.
// Kinds without a status are an error.
func (l *Lens) PutStatus(out, live, object []byte) ([]byte, error) {
	if l.status == nil {
		return out, fmt.Errorf("%s has no status", l.kind)
	}
	return l.put(out, l.status, live, object)
}

func (l *Lens) put(out []byte, reached *merge.Shape, live, object []byte) ([]byte, error) {
	shown, err := l.way.down(nil, live)
	if err != nil {
		return out, err
	}
	ignored := "status"
	if reached == l.status {
		ignored = "spec" // but what a status is of says what it means
	}
	if object, err = withMember(object, ignored, partGet(shown, ignored)); err != nil {
		return out, err
	}
	as := form{request: firstRequest(live)}
	was, err := l.way.up(nil, shown, as)
	if err != nil {
		return out, err
	}
	is, err := l.way.up(nil, object, as)
	if err != nil {
		return out, err
	}
	if merge.Same(reached, was, is) {
		return append(out, live...), nil
	}
	merged := merge.Merge(out, reached, bytes.TrimSpace(live), was, is)
	if err := l.way.fits(merged[len(out):]); err != nil {
		return out, err
	}
	return merged, nil
}

// firstRequest is the name of the first request of a stored claim, "" where there is none.
func firstRequest(stored []byte) string {
	value := bytes.TrimSpace(stored)
	for _, name := range []string{"spec", "devices", "requests"} {
		value = partGet(value, name)
	}
	if items := merge.ItemsOf(value); len(items) > 0 {
		return kjson.StringOf(partGet(items[0], "name"))
	}
	return ""
}

// withMember is an object with another value of a member, or without it.
func withMember(object []byte, name string, value []byte) ([]byte, error) {
	changed, err := rewrite(nil, object, map[string]edit{name: dropped})
	if err != nil || value == nil {
		return changed, err
	}
	return append(append(kjson.AppendName(changed[:len(changed)-1], name), value...), '}'), nil
}
