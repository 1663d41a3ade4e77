package webhook

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"
)

func TestPatienceEnds(t *testing.T) {
	tests := map[string]struct {
		end  func(*patience, context.CancelFunc)
		want error
	}{
		"at the deadline":           {func(*patience, context.CancelFunc) { time.Sleep(time.Minute) }, context.DeadlineExceeded},
		"when the caller is gone":   {func(_ *patience, gone context.CancelFunc) { gone() }, context.Canceled},
		"not before either of them": {func(*patience, context.CancelFunc) { time.Sleep(time.Minute - 1) }, nil},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				caller, gone := context.WithCancel(t.Context())
				defer gone()
				p := newPatience(caller, time.Minute)
				defer p.end()
				done := p.Done()
				test.end(p, gone)
				synctest.Wait()
				closed := false
				select {
				case <-done:
					closed = true
				default:
				}
				if err := p.Err(); !errors.Is(err, test.want) || closed != (test.want != nil) {
					t.Errorf("error %v, want %v; closed is %t", err, test.want, closed)
				}
				child, cancel := context.WithCancel(p)
				defer cancel()
				if err := child.Err(); !errors.Is(err, test.want) {
					t.Errorf("a context made from it has %v", err)
				}
			})
		})
	}
}
