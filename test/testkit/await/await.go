// Package await waits in tests for conditions, because an API server needs a while to use changed objects.
package await

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"
)

// Patience with a machine that does other things as well. It costs nothing where all is well.
const Patience = 2 * time.Minute

const every = 25 * time.Millisecond

// NoError of a condition, within [Patience]: the last error is that of the test.
func NoError(t testing.TB, what string, condition func() error) {
	t.Helper()
	if err := Until(context.Background(), condition); err != nil {
		// also after a test's context has ended, in its cleanup
		t.Fatalf("%s: %v", what, err)
	}
}

// That something is so, where no error says more.
func That(t testing.TB, what string, is func() bool) {
	t.Helper()
	NoError(t, what, func() error {
		if is() {
			return nil
		}
		return errors.New("it is not so")
	})
}

// Until a condition has no error, the context ends or [Patience] does: then with its last error.
func Until(ctx context.Context, condition func() error) error {
	ctx, cancel := context.WithTimeout(ctx, Patience)
	defer cancel()
	ticks := time.NewTicker(every)
	defer ticks.Stop()
	for {
		err := condition()
		if err == nil {
			return nil
		}
		if last := new(inVainError); errors.As(err, &last) {
			return last.error
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("waited in vain: %w", err)
		case <-ticks.C:
		}
	}
}

// InVain is a permanent error of a condition: waiting ends.
func InVain(err error) error { return &inVainError{err} }

type inVainError struct{ error }
