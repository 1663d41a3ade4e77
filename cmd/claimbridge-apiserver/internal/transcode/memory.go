package transcode

import (
	"context"
	"io"
	"net/http"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
)

// Covered is the memory in bytes that whoever lets a request in keeps for it: enough for an object of 512 KiB that is read, or one of 200 that
// is written. Claims and slices have some KiB, and the biggest that the rules of upstream allow some hundred.
const Covered = 2 << 20

const (
	// What becomes of a byte of an object of the store, in bytes of memory. One that is shown is there as it came, in a buffer that has doubled
	// on the way, and as it goes out. One that is changed is there as it is, as it is shown, as the patch and the lens make of it, and once more
	// in the request and in the answer; seven times were measured. YAML and indented answers are made of trees.
	readCost, writeCost = 4, 10
	// wait for memory. Another big object takes a second.
	wait = 10 * time.Second
	// slowest is how long the client of a big answer, or of a big event, may take to read it.
	slowest = 20 * time.Second
	// chunk that is read at once, and so the most that is kept of what follows an event.
	chunk = 32 << 10
)

// Memory is what calls share beside what is kept for each.
type Memory interface {
	// Take half of what there is for objects that are bigger than [Covered], or all, and wait for it; false when ctx is over before. An API
	// server escapes < as six bytes, so that an object of 1.5 MiB, which etcd takes, can be nine here.
	Take(ctx context.Context, all bool) (free func(), ok bool)
	// Watch has a part for one watch of the caller of ctx, which may have a connection of its own, or tells him by an error of status 429 what
	// there is none of.
	Watch(ctx context.Context, connection bool) (free func(), err error)
}

var errNoMemory = apierrors.NewTooManyRequests("claimbridge-apiserver has no memory for so big an object now; try again", 1)

// cost of a byte in this call.
func (c *call) cost() int {
	if c.r.Method == http.MethodGet && !c.form.yaml && !c.form.pretty {
		return readCost
	}
	return writeCost
}

// room for an object of which so many bytes were read. What was written already is waited for as long as the request lasts.
func (c *call) room(n int) error {
	cost := c.cost()
	if c.Memory == nil || c.free != nil || n*cost <= Covered {
		return nil
	}
	ctx, cancel := c.ctx(), func() {}
	if !c.sent {
		ctx, cancel = context.WithTimeout(ctx, wait)
	}
	defer cancel()
	free, ok := c.Memory.Take(ctx, cost == writeCost)
	switch {
	case ok:
		c.free = free
		_ = http.NewResponseController(c.w).SetWriteDeadline(time.Now().Add(slowest + wait)) // not all connections have one
		return nil
	case c.sent:
		return context.DeadlineExceeded
	}
	return errNoMemory
}

// giveBack what the call took.
func (c *call) giveBack() {
	if c.free != nil {
		c.free()
		c.free = nil
	}
}

// metered asks for room as an object is read, and gives up on one that is greater than any.
type metered struct {
	from io.Reader
	room func(n int) error
	read int // of the object
}

func (m *metered) Read(p []byte) (int, error) {
	if m.read >= maxObject {
		return 0, errTooBig
	}
	n, err := m.from.Read(p[:min(len(p), chunk, maxObject-m.read)])
	m.read += n
	if refused := m.room(m.read); refused != nil {
		return 0, refused
	}
	return n, err
}
