package conversion

import (
	"crypto/sha256"
	"encoding/hex"

	"github.com/claimbridge/claimbridge/internal/kjson"
	"github.com/claimbridge/claimbridge/internal/kjson/codec"
)

// digestSize in bytes of SHA-256: enough that nobody meets another content with the same digest by chance.
const digestSize = 16

// digest of a visible part: the first 16 bytes of SHA-256 over its canonical JSON, in hexadecimal. It tells an edit from
// an untouched copy; it is no proof of origin, since anyone can compute it. The text lies in the room.
func (r *room) digest(visible any) string {
	r.digested.Out = r.digested.Out[:0]
	codec.CanonicalValue(&r.digested, visible)
	sum := sha256.Sum256(r.digested.Out)
	begin := len(r.texts)
	r.texts = hex.AppendEncode(r.texts, sum[:digestSize])
	return kjson.View(r.texts[begin:])
}

// partOf is the leftover that completes a visible part.
func (r *room) partOf(visible, leftover any) *part {
	return r.part.put(part{Digest: r.digest(visible), Value: r.encode(leftover)})
}
