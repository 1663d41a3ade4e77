package main

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"k8s.io/apiserver/pkg/authentication/serviceaccount"
	"k8s.io/apiserver/pkg/endpoints/request"
)

// callerOf a request, as what it takes is counted: a user by name, and service accounts by their namespace, as who may make pods there has all of
// them, and as many more as he wants. The text is for people as well.
func callerOf(ctx context.Context) string {
	name := ""
	if user, ok := request.UserFrom(ctx); ok {
		name = user.GetName()
	}
	if namespace, _, err := serviceaccount.SplitUsername(name); err == nil {
		return "the service accounts of namespace " + namespace
	}
	return fmt.Sprintf("user %q", name)
}

// errNoRoom is left for anybody.
var errNoRoom = errors.New("no room is left")

// overShareError is a caller who has all that one may have.
type overShareError struct{ caller string }

func (o overShareError) Error() string { return o.caller + " may have no more" }

// shares of something, of which one caller has a quarter at most: four have to agree on keeping it from others.
type shares struct {
	size  int64
	mutex sync.Mutex
	all   int64
	of    map[string]int64
}

func newShares(size int64) *shares { return &shares{size: size, of: map[string]int64{}} }

// take so much for a caller, or nothing, with [errNoRoom] or [overShareError].
func (s *shares) take(caller string, n int64) error {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	switch {
	case s.of[caller]+n > s.size/4:
		return overShareError{caller}
	case s.all+n > s.size:
		return errNoRoom
	}
	s.all += n
	s.of[caller] += n
	return nil
}

func (s *shares) give(caller string, n int64) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.all -= n
	if s.of[caller] -= n; s.of[caller] == 0 {
		delete(s.of, caller)
	}
}
