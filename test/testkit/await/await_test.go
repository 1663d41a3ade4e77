package await_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/claimbridge/claimbridge/test/testkit/await"
)

var errNotYet = errors.New("not yet")

func TestUntil(t *testing.T) {
	tests := map[string]struct {
		condition func(time.Duration) error
		want      string
		after     time.Duration
	}{
		"immediately": {func(time.Duration) error { return nil }, "", 0},
		"later": {func(waited time.Duration) error {
			if waited < time.Second {
				return errNotYet
			}
			return nil
		}, "", time.Second},
		"never":     {func(time.Duration) error { return errNotYet }, "not yet", await.Timeout},
		"permanent": {func(time.Duration) error { return await.Permanent(errNotYet) }, "not yet", 0},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				started := time.Now()
				err := await.Until(context.Background(), func() error { return test.condition(time.Since(started)) })
				if (err != nil) != (test.want != "") || err != nil && !strings.Contains(err.Error(), test.want) {
					t.Errorf("got error %v, want %q", err, test.want)
				}
				if waited := time.Since(started); waited != test.after {
					t.Errorf("waited %s, want %s", waited, test.after)
				}
			})
		})
	}
}
