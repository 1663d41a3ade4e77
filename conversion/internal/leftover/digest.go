package leftover

import (
	"crypto/sha256"
	"encoding/hex"

	"github.com/claimbridge/claimbridge/internal/kjson"
)

// digestSize in bytes of SHA-256: enough that nobody meets another content with the same digest by chance.
const digestSize = 16

// Digest of a visible part: the first 16 bytes of SHA-256 over its canonical JSON, in hexadecimal.
// It tells an edit from an untouched copy; it is no proof of origin, since anyone can compute it.
func Digest(visible any) string {
	b := kjson.NewBuffer()
	defer b.Free()
	b.Text = kjson.AppendCanonical(b.Text, visible)
	sum := sha256.Sum256(b.Text)
	return hex.EncodeToString(sum[:digestSize])
}

// digestOfSpec returns the SHA-224 of the text of a spec, in hexadecimal: 56 characters, and a label may have 63.
func digestOfSpec(text []byte) string {
	sum := sha256.Sum224(text)
	return hex.EncodeToString(sum[:])
}
