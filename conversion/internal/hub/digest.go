package hub

import (
	"crypto/sha256"
	"encoding/hex"

	"github.com/claimbridge/claimbridge/internal/kjson"
)

// digestSize in bytes: the first half of a SHA-256.
const digestSize = 16

// Digest returns the first 16 bytes of the SHA-256 of a value's canonical JSON, in hexadecimal. An entry holds the
// digest of the allocation that it belongs to, so that an edited allocation does not get the data of the entry. It
// proves nothing about who wrote the entry: every client can compute it.
func Digest(value any) string {
	text := kjson.NewBuffer()
	defer text.Free()
	text.Text = kjson.AppendCanonical(text.Text, value)
	sum := sha256.Sum256(text.Text)
	return hex.EncodeToString(sum[:digestSize])
}
