// Package await waits in tests for conditions, because an API server needs a while to use changed objects.
package await

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"
)

// Patience is the time limit. It is long, because the machine may be busy.
const Patience = 2 * time.Minute

const interval = 25 * time.Millisecond

// NoError waits until a condition returns no error. After [Patience] it fails the test with the last error.
func NoError(t testing.TB, what string, condition func() error) {
	t.Helper()
	if err := Until(context.Background(), condition); err != nil {
		// also after a test's context has ended, in its cleanup
		t.Fatalf("%s: %v", what, err)
	}
}

// That waits until a condition is true. After [Patience] it fails the test.
func That(t testing.TB, what string, condition func() bool) {
	t.Helper()
	NoError(t, what, func() error {
		if condition() {
			return nil
		}
		return errors.New("the condition is false")
	})
}

// Until waits until a condition returns no error. It returns the last error when the context or [Patience] ends.
func Until(ctx context.Context, condition func() error) error {
	ctx, cancel := context.WithTimeout(ctx, Patience)
	defer cancel()
	ticks := time.NewTicker(interval)
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
			return fmt.Errorf("timed out: %w", err)
		case <-ticks.C:
		}
	}
}

// InVain returns a permanent error of a condition, which ends the wait.
func InVain(err error) error { return &inVainError{err} }

type inVainError struct{ error }
