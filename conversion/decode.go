package conversion

import (
	"github.com/claimbridge/claimbridge/conversion/internal/preserve"
	"github.com/claimbridge/claimbridge/internal/kjson"
)

// Decode reads JSON into a pointer as kube-apiserver does: keys are case-sensitive, integers stay
// integers, the last of duplicate fields counts, unknown fields are dropped. What the pointer held
// before is gone. It returns the paths of unknown and duplicate fields; an error is a *DecodeError
// that names the field. A value that is bigger than any that an API server stores is one, before it
// is built.
func Decode(data []byte, into any) (unknown []string, err error) { return kjson.Decode(data, into) }

// DecodeError says which Field could not be read, by its path from where decoding began, and Why;
// the path is empty for the value itself. It never holds the value.
type DecodeError = kjson.DecodeError

// Equal reports whether two JSON values of an object are the same to the API server: key order, white space and the
// spelling of strings and numbers do not count, and a member that is null, "", {}, [], false or 0 counts as absent.
// Parameters of drivers are opaque: inside them only order and spelling do not count.
func Equal(a, b []byte) bool { return preserve.Equal(a, b) }

// Header is what identifies an object: strings Group, Version, Kind, Namespace, Name, GenerateName
// and UID. What is absent or of the wrong type is "". Its String is like "ResourceClaim default/a",
// its APIVersion is group/version.
type Header = kjson.Header

// ReadHeader reads the identity of a JSON object, whatever its kind.
func ReadHeader(object []byte) (Header, error) { return kjson.ReadHeader(object) }
