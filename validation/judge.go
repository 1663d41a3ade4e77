package validation

import (
	"context"
	"errors"
)

// Judge judges a write, for as long as the context lasts. The error is for requests that cannot be judged: not JSON,
// unknown kind or version, a field of the wrong type, an object missing; or it wraps that of the context, or [ErrBusy].
// Neither errors nor verdicts hold the contents of handles or parameters.
func Judge(ctx context.Context, r Request) (Verdict, error) {
	if r.Operation == Delete {
		return Verdict{}, nil
	}
	w, err := read(r)
	var unread *unreadable
	switch {
	case errors.As(err, &unread) && mends(r):
		return judgeMending(ctx, r, unread)
	case err != nil:
		return Verdict{}, err
	}
	return judge(ctx, w)
}
