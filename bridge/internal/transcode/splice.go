package transcode

import (
	"errors"

	"github.com/claimbridge/claimbridge/internal/objectjson"
)

// replace appends an object with the value of a member replaced by what a function appends for it.
// The bytes around it stay. An object without the member is unchanged.
func replace(out, object []byte, member string, with func(out, value []byte) ([]byte, error)) ([]byte, error) {
	s := objectjson.NewScanner(object)
	at, begun := 0, len(out)
	for name := range s.Members() {
		begin, end := s.Skip()
		if name != member || s.Failed() {
			continue
		}
		var err error
		if out, err = with(append(out, object[at:begin]...), object[begin:end]); err != nil {
			return out[:begun], err
		}
		at = end
	}
	if s.Failed() {
		return out[:begun], errNotObject
	}
	return append(out, object[at:]...), nil
}

// setString replaces the value of a member.
func setString(value string) func(out, old []byte) ([]byte, error) {
	return func(out, _ []byte) ([]byte, error) { return objectjson.AppendQuoted(out, value), nil }
}

// metadataOf an object.
type metadata struct{ name, namespace, resourceVersion string }

func metadataOf(object []byte) (m metadata) {
	s := objectjson.NewScanner(object)
	for name, value := range s.Values() {
		if name == "metadata" {
			m = metadata{}
			inner := objectjson.NewScanner(value)
			for name, value := range inner.Values() {
				switch name {
				case "name":
					m.name = objectjson.StringOf(value)
				case "namespace":
					m.namespace = objectjson.StringOf(value)
				case "resourceVersion":
					m.resourceVersion = objectjson.StringOf(value)
				}
			}
		}
	}
	return m
}

// without a member, wherever it stands in the object.
func without(object []byte, member string) ([]byte, error) {
	s := objectjson.NewScanner(object)
	kept, found := []byte{'{'}, false
	for name, value := range s.Values() {
		if name == member {
			found = true
			continue
		}
		kept = append(objectjson.AppendName(kept, name), value...)
	}
	switch {
	case s.Failed():
		return nil, errNotObject
	case !found:
		return object, nil
	}
	return append(kept, '}'), nil
}

var errNotObject = errors.New("not a JSON object")
