// Package objectjson reads and writes the JSON of Kubernetes objects. It has no knowledge of claims.
//
// [Decode], [DecodeStrict] and [Marshal] read and write typed values with encoding/json/v2, which is
// github.com/go-json-experiment/json until the project uses a release of Go that has it. JSON that is not strict is
// decoded by sigs.k8s.io/json, the decoder of kube-apiserver. The package adds what no library has:
//
//   - [Scanner] finds values and their ends without decoding them.
//   - [Members], [Metadata], [Header] and [Object] split an object and keep the text of its parts.
//   - [Canonical] and [CanonicalWithDigits] return the same text for equal values.
//   - Limits for the memory that a value takes (limits.go) are checked before it is built.
//   - Quantities, times and raw values keep their exact values in strict JSON (types.go, quantity.go).
//
// The grammar is that of RFC 8259, as encoding/json has it: values are nested at most 10,000 levels deep. Strings may
// have invalid UTF-8, and names may be duplicates: the caller decides whether that is an error. The scanner fails where
// a text is not JSON, and [Scanner.Err] reports the position. Errors never contain values.
//
// Members and scanned values share memory with the text. Typed values do not.
package objectjson
