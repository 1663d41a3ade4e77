package leftover

import "github.com/claimbridge/claimbridge/internal/kjson"

//go:generate go run ../../../internal/kjson/jsongen -roots=Annotation

// Codec of the types of this package.
var Codec = kjson.Codec{Read: readValue, Write: writeValue}
