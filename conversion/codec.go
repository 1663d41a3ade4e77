package conversion

import "github.com/claimbridge/claimbridge/internal/kjson"

//go:generate go run ../internal/kjson/jsongen -roots=annotation,handlesLeftover,structuredSpec,structuredAllocation,classicSpec,classicAllocation,resourceHandle -compared=api/v1alpha2.ResourceHandle,api/v1alpha3.DeviceRequestAllocationResult,api/v1alpha3.DeviceAllocationConfiguration,classicSpec,classicAllocation

// encode writes a value of our own types, or of the API; such a value can always be written.
func encode(v any) []byte {
	w := kjson.Writer{Out: make([]byte, 0, 256)}
	writeValue(&w, v)
	return w.Out
}
