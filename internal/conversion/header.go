package conversion

import "github.com/claimbridge/claimbridge/internal/objectjson"

// Header identifies an object. It has the strings Group, Version, Kind, Namespace, Name, GenerateName and UID. A field
// that is absent or not a string is "". Its String is a text such as "ResourceClaim default/a", and its APIVersion is
// group/version.
type Header = objectjson.Header

// ReadHeader returns the header of a JSON object of any kind.
func ReadHeader(object []byte) (Header, error) { return objectjson.ReadHeader(object) }
