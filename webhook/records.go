package webhook

import (
	"encoding/binary"
	"fmt"
	"io"
)

// maxHandshake is what a caller may send until its handshake ends. An API server sends 2 KiB, and with a chain of certificates some
// more. crypto/tls takes a hello of 64 KiB, and keeps as much memory for as long as the connection lasts.
const maxHandshake = 16 << 10

// records of a TLS handshake, read one by one: type, version, and two bytes of length (RFC 8446, 5.1) before each. crypto/tls takes all that is
// there; what follows the handshake has to be left where it is, or nobody would see it come.
type records struct {
	header [5]byte
	// headed counts the bytes of the header that were read, left those of the rest that were not, total those of all records.
	headed, left, total int
}

// read of this record alone. An error when all are longer than a handshake may be.
func (r *records) read(from io.Reader, b []byte) (int, error) {
	if r.headed == len(r.header) {
		n, err := from.Read(b[:min(len(b), r.left)])
		if r.left -= n; r.left == 0 {
			r.headed = 0
		}
		return n, err
	}
	n, err := from.Read(b[:min(len(b), len(r.header)-r.headed)])
	r.headed += copy(r.header[r.headed:], b[:n])
	if r.headed < len(r.header) {
		return n, err
	}
	r.left = int(binary.BigEndian.Uint16(r.header[3:]))
	if r.total += len(r.header) + r.left; r.total > maxHandshake {
		return 0, fmt.Errorf("the handshake is longer than %d bytes", maxHandshake)
	}
	if r.left == 0 {
		r.headed = 0
	}
	return n, err
}
