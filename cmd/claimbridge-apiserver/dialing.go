package main

import (
	"context"
	"errors"
	"net"
	"sync"
	"time"
)

// mostToCluster are the connections at once by which objects are asked for, and those by which the cluster is asked who may what. One has 100
// streams or more, so these carry 6,400 watches, five times what a replica has with 2 GiB. Go opens one for each request that finds none with a stream to spare: a kube-apiserver that stands still for seconds, while callers ask
// and give up, would be given thousands, of 250 KiB each.
const mostToCluster = 64

// placePatience is how long a new connection waits for a place. Its request does not wait for it alone, but takes the next stream that is free.
const placePatience = 30 * time.Second

type dial = func(ctx context.Context, network, address string) (net.Conn, error)

// toCluster is how client-go dials, but for 5 s in place of 30: a network that lost the first try and the second answers the third one by then, and
// places are free soon after one that lost all is there again.
var toCluster = (&net.Dialer{Timeout: 5 * time.Second, KeepAlive: 30 * time.Second}).DialContext

// atMost so many connections are open at once that next makes; one more waits.
func atMost(most int, next dial) dial {
	places := make(chan struct{}, most)
	return func(ctx context.Context, network, address string) (net.Conn, error) {
		over := time.NewTimer(placePatience)
		defer over.Stop()
		select {
		case places <- struct{}{}:
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-over.C:
			return nil, errors.New("too many connections to the cluster are open, and none has ended")
		}
		leave := sync.OnceFunc(func() { <-places })
		made, err := next(ctx, network, address)
		if err != nil {
			leave()
			return nil, err
		}
		return placed{made, leave}, nil
	}
}

// placed connection, which has a place until it is closed.
type placed struct {
	net.Conn
	leave func()
}

func (p placed) Close() error {
	defer p.leave()
	return p.Conn.Close()
}
