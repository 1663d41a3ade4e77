package selector

import (
	"context"
	"errors"
	"strings"
	"sync/atomic"

	"golang.org/x/sync/semaphore"
	"k8s.io/utils/lru"
)

// maxRemembered is how many expressions are remembered: as many as a valid claim can have, 32 in
// each of 32 requests, so that whatever is updated after it was created finds all of its own. None
// is longer than 10 KiB: with what is said about it, one takes at most 11.3 KiB, and all together
// 11.3 MiB.
const maxRemembered = 32 * 32

// verdict on an expression: what is wrong with it, and what it weighs to find out.
type verdict struct {
	problem Problem
	weight  int64
}

// memory of what the compiler says about expressions, also about those that it is not asked about
// since they are too heavy. It is a memory only: what it answers does not depend on what it was
// asked before. Safe for use by many at once.
type memory struct {
	compile func(question) (Problem, int64)
	known   *lru.Cache
	// compiling lets in one at a time, in the order of their coming: one core, and the memory of
	// one expression. A second core would make many new expressions come through faster, but they
	// are rare: what is known is not compiled again, and one core compiles 2,000 of those that
	// people write in a second. Conversions need the other cores. Who waits here waits for one
	// expression of each write that came before, at most an eighth of a second each.
	compiling *semaphore.Weighted
	waiting   atomic.Int32
}

// maxWaiting is how many writes wait for the compiler. Each holds memory for its body meanwhile,
// which all other calls need as well; at an eighth of a second for each who came before, the last
// of them waits for 4 s at most, and an API server gives up after 10.
const maxWaiting = 32

// ErrBusy says that too many wait for the compiler already. Who comes again later may find it free.
var ErrBusy = errors.New("too many new expressions are being compiled, try again")

// shared by all writes.
var shared = newMemory(compile)

func newMemory(compile func(question) (Problem, int64)) *memory {
	return &memory{compile: compile, known: lru.New(maxRemembered), compiling: semaphore.NewWeighted(1)}
}

// verdict on an expression. The error is that of the context, since nobody waits for the verdict
// any more, or [ErrBusy].
func (m *memory) verdict(ctx context.Context, q question) (verdict, error) {
	if len(q.expression) > MaxLength { // as the compiler would say
		return verdict{tooLong(len(q.expression)), weightOfNothing}, ctx.Err()
	}
	if found, ok := m.known.Get(q); ok {
		return found.(verdict), nil
	}
	if err := m.enter(ctx); err != nil {
		return verdict{}, err
	}
	defer m.compiling.Release(1)
	if found, ok := m.known.Get(q); ok { // since the first look
		return found.(verdict), nil
	}
	var found verdict
	found.problem, found.weight = m.compile(q)
	q.expression = strings.Clone(q.expression) // which may be part of a whole object
	m.known.Add(q, found)
	return found, nil
}

// enter where one compiles at a time.
func (m *memory) enter(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if m.compiling.TryAcquire(1) {
		return nil
	}
	if m.waiting.Add(1) > maxWaiting {
		m.waiting.Add(-1)
		return ErrBusy
	}
	defer m.waiting.Add(-1)
	// Some contexts know their deadline but do not wake anybody when it has come.
	if deadline, ok := ctx.Deadline(); ok {
		var cancel context.CancelFunc
		ctx, cancel = context.WithDeadline(ctx, deadline)
		defer cancel()
	}
	return m.compiling.Acquire(ctx, 1)
}
