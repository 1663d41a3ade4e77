package cel

import (
	"context"
	"errors"
	"strings"
	"sync/atomic"

	"golang.org/x/sync/semaphore"
	"k8s.io/utils/lru"
)

// maxCached is the number of cached results: enough for 32 requests with 32 selectors each, the maximum without
// alternatives, so that an update of such a claim finds the results of its create. With 8 alternatives for each
// request, a valid claim can have 8,192 selectors. If more than maxCached of them differ, its updates compile
// expressions again. An expression of 10 KiB and its result take at most 11.3 KiB, and the cache 11.3 MiB.
const maxCached = 32 * 32

// weighedResult is the result of compiling an expression, with its weight.
type weighedResult struct {
	result Result
	weight int64
}

// cache has the results of compiling, including those of expressions whose weight exceeds the limit. Its results do not
// depend on earlier requests. It is safe for concurrent use.
type cache struct {
	compile func(source) (Result, int64)
	results *lru.Cache
	// compiling admits one expression at a time, in order of arrival, so that compiling uses one processor and the
	// memory of one expression. New expressions are rare, because results are cached, and one processor compiles 2,000
	// typical ones per second. Conversions need the other processors. A write waits for one expression of each earlier
	// write, at most an eighth of a second each.
	compiling *semaphore.Weighted
	waiting   atomic.Int32
}

// maxWaiting is the number of writes that can wait for the compiler. Each holds memory for its body, which other calls
// need too. With an eighth of a second for each earlier write, a new expression waits for at most 4 s. An API server
// times out after 10 s.
const maxWaiting = 32

// ErrBusy means that too many writes wait for the compiler. A later attempt may succeed.
var ErrBusy = errors.New("too many new expressions are being compiled, try again")

// shared is the cache of the process.
var shared = newCache(compile)

func newCache(compile func(source) (Result, int64)) *cache {
	return &cache{compile: compile, results: lru.New(maxCached), compiling: semaphore.NewWeighted(1)}
}

// result returns the result of compiling an expression, from the cache if it is there. The error is that of the
// context, or [ErrBusy].
func (c *cache) result(ctx context.Context, s source) (weighedResult, error) {
	if len(s.expression) > MaxLength { // compile would return the same result
		return weighedResult{tooLong(len(s.expression)), minWeight}, ctx.Err()
	}
	if found, ok := c.results.Get(s); ok {
		return found.(weighedResult), nil
	}
	if err := c.wait(ctx); err != nil {
		return weighedResult{}, err
	}
	defer c.compiling.Release(1)
	if found, ok := c.results.Get(s); ok { // another call added it while this one waited
		return found.(weighedResult), nil
	}
	var compiled weighedResult
	compiled.result, compiled.weight = c.compile(s)
	s.expression = strings.Clone(s.expression) // so that the cache does not keep the whole object in memory
	c.results.Add(s, compiled)
	return compiled, nil
}

// wait waits until this write may compile an expression.
func (c *cache) wait(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if c.compiling.TryAcquire(1) {
		return nil
	}
	if c.waiting.Add(1) > maxWaiting {
		c.waiting.Add(-1)
		return ErrBusy
	}
	defer c.waiting.Add(-1)
	// Some contexts have a deadline without closing their channel when it has passed.
	if deadline, ok := ctx.Deadline(); ok {
		var cancel context.CancelFunc
		ctx, cancel = context.WithDeadline(ctx, deadline)
		defer cancel()
	}
	return c.compiling.Acquire(ctx, 1)
}
