package v1alpha3

import "github.com/claimbridge/claimbridge/internal/kjson"

//go:generate go run ../../../internal/kjson/jsongen -roots=ClassicSpec,ClassicAllocation,ResourceHandle

// Codec of the types of this package.
var Codec = kjson.Codec{Read: readValue, Write: writeValue}
