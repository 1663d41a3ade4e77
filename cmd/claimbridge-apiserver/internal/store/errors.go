package store

import (
	"context"
	"errors"
	"net/http/httptrace"
	"sync/atomic"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// retryAfter in seconds. What keeps the store from answering is a restart or an election, which take seconds; callers of client-go wait
// longer from try to try by themselves.
const retryAfter = 1

// unanswered is the error for a request without an answer. A write that was sent may have been made: its caller is not told to try again, which
// client-go would do by itself. The reason is for the log: it names addresses of the control plane.
func (c *Client) unanswered(ctx context.Context, err error, mayBeMade bool) error {
	switch {
	case errors.Is(ctx.Err(), context.Canceled): // the caller has gone
		return apierrors.NewTimeoutError("the request was given up", 0)
	case ctx.Err() != nil && mayBeMade:
		return apierrors.NewTimeoutError("the cluster's resource.k8s.io/v1, from which this version is made, did not answer in time: whether the write was made is not known", 0)
	case ctx.Err() != nil:
		return apierrors.NewTimeoutError("the cluster's resource.k8s.io/v1, from which this version is made, did not answer in time", retryAfter)
	}
	if mayBeMade {
		c.complain(err, "The store broke off before it answered a write")
		return apierrors.NewTimeoutError("the cluster's resource.k8s.io/v1, from which this version is made, broke off before it answered: whether the write was made is not known", 0)
	}
	c.complain(err, "The store does not answer")
	return unavailable("the cluster's resource.k8s.io/v1, from which this version is made, does not answer; try again")
}

// followed is ctx with which it is known whether the store may have seen a request. The transport tries again by itself what was certainly not
// looked at, with a connection anew: of those tries the last counts.
func followed(ctx context.Context) (_ context.Context, sent *atomic.Bool) {
	sent = new(atomic.Bool)
	return httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{
		GetConn:      func(string) { sent.Store(false) },
		WroteHeaders: func() { sent.Store(true) },
	}), sent
}

// unknownHere is the error for an answer of 401, which is about the token of this server and would tell a caller to log in anew.
func (c *Client) unknownHere() error {
	c.complain(nil, "The store does not accept the credentials of this server: look at its service account and the token in its pod")
	return unavailable("the cluster does not accept the credentials of claimbridge-apiserver; its log says more")
}

func unavailable(message string) error {
	err := apierrors.NewServiceUnavailable(message)
	err.ErrStatus.Details = &metav1.StatusDetails{RetryAfterSeconds: retryAfter}
	return err
}
