package leftover

import (
	"crypto/sha256"
	"encoding/hex"
	"sync"

	"github.com/claimbridge/claimbridge/internal/kjson"
)

// digestSize in bytes of SHA-256: enough that nobody meets another content with the same digest by chance.
const digestSize = 16

// texts of which digests were made, to be used again unless they are greater than most.
var texts = sync.Pool{New: func() any { return new([]byte) }}

const maxText = 64 << 10

// Digest of a visible part: the first 16 bytes of SHA-256 over its canonical JSON, in hexadecimal. It tells an edit from
// an untouched copy; it is no proof of origin, since anyone can compute it.
func Digest(visible any) string {
	buffer := texts.Get().(*[]byte)
	text := kjson.AppendCanonical((*buffer)[:0], visible)
	sum := sha256.Sum256(text)
	if cap(text) <= maxText {
		*buffer = text
		texts.Put(buffer)
	}
	return hex.EncodeToString(sum[:digestSize])
}
