package v1alpha2

import "github.com/claimbridge/claimbridge/internal/kjson"

//go:generate go run ../../../internal/kjson/jsongen -roots=HandlesLeftover

// Codec of the types of this package.
var Codec = kjson.Codec{Read: readValue, Write: writeValue}
