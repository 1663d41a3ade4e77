package conversion

import "github.com/claimbridge/claimbridge/internal/kjson"

// Header is what identifies an object: strings Group, Version, Kind, Namespace, Name, GenerateName and UID. What is absent
// or of the wrong type is "". Its String is like "ResourceClaim default/a", its APIVersion is group/version.
type Header = kjson.Header

// ReadHeader reads the identity of a JSON object, whatever its kind.
func ReadHeader(object []byte) (Header, error) { return kjson.ReadHeader(object) }
