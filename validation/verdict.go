package validation

import (
	"context"
	"errors"
	"fmt"

	"github.com/claimbridge/claimbridge/validation/internal/selector"
)

// Verdict on a request. It is allowed when there are no errors.
type Verdict struct {
	// Errors in the order of the list of rules, at most 10,000.
	Errors []Error
	// Warnings for the client of an allowed write: at most 16, each at most 256 bytes, which is what an API server
	// passes on without cutting.
	Warnings []string
}

// ErrBusy says that the compiler of expressions has no time for those of this write, as too many
// others wait for it: try again later. Writes whose expressions are known, or that have none, never
// meet it.
var ErrBusy = selector.ErrBusy

// Judge judges a write, for as long as the context lasts. The error is for requests that cannot be judged: not JSON,
// unknown kind or version, a field of the wrong type, an object missing; or it wraps that of the context, or [ErrBusy].
// Neither errors nor verdicts hold the contents of handles or parameters.
func Judge(ctx context.Context, r Request) (Verdict, error) {
	if r.Operation == Delete {
		return Verdict{}, nil
	}
	w, err := read(r)
	if unread := new(unreadable); errors.As(err, &unread) && mends(r) {
		return judgeMending(ctx, r, unread)
	}
	if err != nil {
		return Verdict{}, err
	}
	return judge(ctx, w)
}

// judge a write that could be read: upstream's rules come first.
func judge(ctx context.Context, w *write) (Verdict, error) {
	w.selectors = selector.NewWrite(ctx)
	verdict, err := Verdict{Errors: ask(rulesByRelease()[w.release], w, w.judgedOn(), false)}, error(nil)
	if len(verdict.Errors) == 0 {
		if err = ctx.Err(); err == nil {
			verdict, err = judgeAsStored(w)
		}
	}
	if err == nil {
		err = w.selectors.Err()
	}
	if err != nil && ctx.Err() != nil {
		err = fmt.Errorf("judged no further: %w", err)
	}
	if err != nil {
		return Verdict{}, err
	}
	return verdict, nil
}

// judgeAsStored judges a write that upstream's rules accept.
func judgeAsStored(w *write) (Verdict, error) {
	var err error
	if w.stored, err = asStored(w); err != nil {
		return Verdict{}, err
	}
	if w.shareable, err = shareable(w); err != nil {
		return Verdict{}, err
	}
	if errs := ask(ownRules, w, setOf[w.op], true); len(errs) > 0 {
		return Verdict{Errors: errs}, nil
	}
	return Verdict{Warnings: warnings(w)}, nil
}
