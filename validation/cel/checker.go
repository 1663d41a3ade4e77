package cel

import "context"

// Checker checks the expressions of one write of one object, within one budget of time and memory. It
// must not be used concurrently.
type Checker struct {
	ctx   context.Context
	cache *cache
	// remaining is the weight that further expressions can have.
	remaining int64
	results   map[source]Result
	err       error
}

// NewChecker returns a checker for one write. It compiles expressions until the context is done.
func NewChecker(ctx context.Context) *Checker { return shared.checker(ctx) }

func (c *cache) checker(ctx context.Context) *Checker {
	return &Checker{ctx: ctx, cache: c, remaining: maxWeightOfChecker}
}

// CheckSelector checks the expression of a selector against the rules of a Kubernetes release, which is given as its
// minor number, at least 31. A Result without a Type means that the expression is accepted, or that [Checker.Err] is
// set. A repeated expression costs nothing. When the budget is exhausted, every further expression is rejected with a
// detail that says so.
func (c *Checker) CheckSelector(expression string, release int) Result {
	return c.check(source{expression: expression, release: release})
}

// CheckDerivedAttribute is like CheckSelector for the expression of a derived attribute, which exists since 1.37.
func (c *Checker) CheckDerivedAttribute(expression string, release int) Result {
	return c.check(source{expression: expression, release: release, isAttribute: true})
}

func (c *Checker) check(s source) Result {
	if c.err != nil {
		return Result{}
	}
	if result, ok := c.results[s]; ok {
		return result
	}
	result := exceedsTotalWeight
	if c.remaining > 0 {
		compiled, err := c.cache.result(c.ctx, s)
		if err != nil {
			c.err = err
			return Result{}
		}
		result = compiled.result
		c.remaining -= compiled.weight
	}
	if c.results == nil {
		c.results = map[source]Result{}
	}
	c.results[s] = result
	return result
}

// Exhausted reports whether the budget is exhausted.
func (c *Checker) Exhausted() bool { return c.remaining <= 0 }

// Err returns the error of the context when it was done before all expressions were compiled, or [ErrBusy].
func (c *Checker) Err() error { return c.err }
