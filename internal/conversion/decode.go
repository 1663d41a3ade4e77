package conversion

import (
	"github.com/claimbridge/claimbridge/internal/conversion/preserve"
	"github.com/claimbridge/claimbridge/internal/objectjson"
)

// Decode decodes JSON as kube-apiserver does: names are case-sensitive, integers stay integers, the
// last of duplicate fields counts, and unknown fields are dropped. It replaces everything that the
// value had before. It returns the paths of unknown and duplicate fields. An error is a
// *DecodeError. A value that is larger than any that an API server stores is an error, and is not
// built.
func Decode(data []byte, into any) (unknown []string, err error) {
	return objectjson.Decode(data, into)
}

// DecodeError is an error of [Decode]. It has the path of the Field, or "" for the whole value, and the reason, Why. It
// never contains the value.
type DecodeError = objectjson.DecodeError

// Equal reports whether two JSON values of an object are the same to the API server: key order, white space and the
// spelling of strings and numbers do not count, and a member that is null, "", {}, [], false or 0 counts as absent.
// Parameters of drivers are opaque: inside them only order and spelling do not count.
func Equal(a, b []byte) bool { return preserve.Equal(a, b) }

// Header identifies an object. It has the strings Group, Version, Kind, Namespace, Name, GenerateName and UID. A field
// that is absent or not a string is "". Its String is a text such as "ResourceClaim default/a", and its APIVersion is
// group/version.
type Header = objectjson.Header

// ReadHeader returns the header of a JSON object of any kind.
func ReadHeader(object []byte) (Header, error) { return objectjson.ReadHeader(object) }
