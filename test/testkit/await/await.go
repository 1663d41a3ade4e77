// Package await polls conditions in tests, because an API server needs a while to observe changed objects.
package await

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"
)

// Timeout is the time limit for a condition. It is long, because the machine may be busy.
const Timeout = 2 * time.Minute

const interval = 25 * time.Millisecond

// NoError waits until a condition returns no error. After [Timeout] it fails the test with the last error.
func NoError(t testing.TB, what string, condition func() error) {
	t.Helper()
	// The context of the test is canceled in its cleanup functions, which also wait.
	if err := Until(context.Background(), condition); err != nil {
		t.Fatalf("%s: %v", what, err)
	}
}

// True waits until a condition is true. After [Timeout] it fails the test.
func True(t testing.TB, what string, condition func() bool) {
	t.Helper()
	NoError(t, what, func() error {
		if condition() {
			return nil
		}
		return errors.New("the condition is false")
	})
}

// Until waits until a condition returns no error. It returns the last error if the context ends, after [Timeout], or
// if the error is [Permanent].
func Until(ctx context.Context, condition func() error) error {
	ctx, cancel := context.WithTimeout(ctx, Timeout)
	defer cancel()
	ticks := time.NewTicker(interval)
	defer ticks.Stop()
	for {
		err := condition()
		if err == nil {
			return nil
		}
		if permanent := new(permanentError); errors.As(err, &permanent) {
			return permanent.error
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("timed out: %w", err)
		case <-ticks.C:
		}
	}
}

// Permanent wraps an error of a condition that will not become true, which ends the wait.
func Permanent(err error) error { return &permanentError{err} }

type permanentError struct{ error }
