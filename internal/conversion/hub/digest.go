package hub

import (
	"crypto/sha256"
	"encoding/hex"

	"github.com/claimbridge/claimbridge/internal/objectjson"
)

// digestSize in bytes: the first half of a SHA-256.
const digestSize = 16

// Digest returns the first 16 bytes of the SHA-256 of a value's canonical JSON, in hexadecimal. An entry holds the
// digest of the allocation that it belongs to, so that an edited allocation does not get the data of the entry. It
// proves nothing about who wrote the entry: every client can compute it.
func Digest(value any) string {
	sum := sha256.Sum256(canonicalJSON(value))
	return hex.EncodeToString(sum[:digestSize])
}

// canonicalText returns the canonical JSON of a value, which is the same for equal values.
func canonicalText(value any) string { return string(canonicalJSON(value)) }

func canonicalJSON(value any) []byte { return objectjson.CanonicalOrSame(objectjson.Marshal(value)) }
