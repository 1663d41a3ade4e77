package v1beta1

import "github.com/claimbridge/claimbridge/internal/kjson"

//go:generate go run ../../../internal/kjson/jsongen -roots=ControlPlaneClaim,ControlPlaneAllocation,Part

// Codec of the types of this package.
var Codec = kjson.Codec{Read: readValue, Write: writeValue}
