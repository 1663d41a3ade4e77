package validation

import (
	"context"
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

// ErrBusy says that the compiler of expressions has no time for those of this write, as too many others wait for it: try
// again later. Writes whose expressions are known, or that have none, never meet it.
var ErrBusy = selector.ErrBusy

// judge a write that could be read.
func judge(ctx context.Context, w *write) (Verdict, error) {
	defer w.close()
	w.selectors = selector.NewWrite(ctx)
	verdict, err := judgeInOrder(ctx, w)
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

// judgeInOrder asks upstream's rules first.
func judgeInOrder(ctx context.Context, w *write) (Verdict, error) {
	if errs := ask(versions[w.version].rules(w.kind), w); len(errs) > 0 {
		return Verdict{Errors: errs}, nil
	}
	if err := ctx.Err(); err != nil {
		return Verdict{}, err
	}
	return judgeAsStored(w)
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
	if errs := askUntilRefused(ownRules, w); len(errs) > 0 {
		return Verdict{Errors: errs}, nil
	}
	return Verdict{Warnings: warnings(w)}, nil
}
