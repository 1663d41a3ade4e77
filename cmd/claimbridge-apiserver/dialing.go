package main

import (
	"context"
	"errors"
	"net"
	"net/http"
	"sync"
	"time"

	"github.com/claimbridge/claimbridge/cmd/claimbridge-apiserver/internal/store"
)

const (
	// mostSilent connections to the cluster at once, on which it has said nothing yet, for each of three: objects, questions who may what, and whose a
	// token is. Go opens one for each request that finds no stream to spare: a kube-apiserver that stands still for seconds, while callers ask and give
	// up, would be given thousands, of 250 KiB each. One that lives has answered after a round trip, so that 64 at once are thousands a second.
	mostSilent = 64
	// silence is how long a connection may take until the cluster says something, and how long one more waits for a place: what the network loses once
	// or twice is sent again by then, and places are free soon after one that lost all is there again.
	silence = 5 * time.Second
)

type dial = func(ctx context.Context, network, address string) (net.Conn, error)

// toCluster is how client-go dials, but for not as long.
var toCluster = (&net.Dialer{Timeout: silence, KeepAlive: 30 * time.Second}).DialContext

// atMost so many connections that next makes are silent at once; one more waits.
func atMost(most int, next dial) dial {
	places := make(chan struct{}, most)
	return func(ctx context.Context, network, address string) (net.Conn, error) {
		over := time.NewTimer(silence)
		defer over.Stop()
		select {
		case places <- struct{}{}:
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-over.C:
			return nil, errors.New("the cluster takes connections and says nothing")
		}
		leave := sync.OnceFunc(func() { <-places })
		made, err := next(ctx, network, address)
		if err == nil {
			err = made.SetReadDeadline(time.Now().Add(silence))
		}
		if err != nil {
			leave()
			return nil, err
		}
		speaks := sync.OnceFunc(func() {
			leave()
			_ = made.SetReadDeadline(time.Time{}) // fails when it is closed, as what comes next does
		})
		return silent{made, leave, speaks}, nil
	}
}

// silent connection, which has a place until it is closed, or the first byte comes.
type silent struct {
	net.Conn
	leave, speaks func()
}

func (s silent) Read(b []byte) (int, error) {
	n, err := s.Conn.Read(b)
	if n > 0 {
		s.speaks()
	}
	return n, err
}

func (s silent) Close() error {
	defer s.leave()
	return s.Conn.Close()
}

// dialsSo is a transport of client-go that has no other way to be told how to dial.
func dialsSo(rt http.RoundTripper) http.RoundTripper {
	if transport, is := store.Unwrapped(rt).(*http.Transport); is && transport.DialContext != nil {
		transport.DialContext = atMost(mostSilent, transport.DialContext)
	}
	return rt
}
