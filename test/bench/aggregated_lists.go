package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/claimbridge/claimbridge/test/bench/claims"
)

// listsAtOnce of all claims by as many callers, who come again after 429 as clients of Kubernetes do: ten times, after as many seconds as they
// are told. What the server has no memory for it refuses itself; API servers have bounds of their own.
func (b *bench) listsAtOnce(s *sideBySide) error {
	ctx, cancel := context.WithTimeout(b, 2*patience)
	defer cancel()
	lister := &apiServerClient{Context: ctx, http: s.ours.user.http, url: s.ours.user.url}
	if err := b.topUp(s, lister); err != nil {
		return err
	}
	if err := s.process.resetPeak(); err != nil {
		return err
	}
	answers := make([]insistence, b.listers)
	begun := time.Now()
	var all sync.WaitGroup
	for i := range answers {
		all.Go(func() { answers[i] = lister.insist(everywhere) })
	}
	all.Wait()
	took := time.Since(begun)
	peak, err := s.process.peak()
	if err != nil {
		return fmt.Errorf("%s is gone: %w", aggregatedServer, err)
	}
	v := values{"at-once": 0, "served": 0, "shed": 0, "shed-here": 0, "failed": 0, peakBytes: float64(peak), nsPerOp: float64(took.Nanoseconds())}
	for _, a := range answers {
		v["shed"] += float64(a.shed)
		v["shed-here"] += float64(a.shedHere)
		switch {
		case a.err != nil:
			v["failed"]++
			b.say("  a list was not served: %.300v", a.err)
			continue
		case a.shed == 0:
			v["at-once"]++
		}
		v["served"]++
		v[listBytes] = float64(a.size)
	}
	b.results.add(aggregatedMemory(aggregatedLists), b.listers, v)
	return nil
}

// everywhere are the claims of all namespaces.
const everywhere = "/apis/" + claims.Group + "/" + aggregatedVersion + "/resourceclaims"

// topUp creates claims until a list of all of them is as big as one is to be.
func (b *bench) topUp(s *sideBySide, lister *apiServerClient) error {
	var group errgroup.Group
	group.SetLimit(writers)
	_, size, err := lister.time(timed{method: http.MethodGet, path: everywhere})
	for i := 0; err == nil && size < b.listSize; i++ {
		claim := sizedClaim("v1", 100_000+i, false)
		size += int64(len(claim))
		group.Go(func() error {
			return s.ours.admin.request(http.MethodPost, "/apis/"+claims.Group+"/v1/namespaces/"+createdIn+"/resourceclaims", asJSON, asJSON, claim, nil)
		})
	}
	return errors.Join(err, group.Wait())
}

// insistence of a client: how often it was told to come again, and by the server itself, and what it had in the end.
type insistence struct {
	shed, shedHere int
	size           int64
	err            error
}

// insist on an answer as clients of Kubernetes do.
func (c *apiServerClient) insist(path string) (i insistence) {
	for {
		_, i.size, i.err = c.time(timed{method: http.MethodGet, path: path})
		var refused *apiError
		if !errors.As(i.err, &refused) || refused.code != http.StatusTooManyRequests {
			return i
		}
		i.shed++
		if strings.Contains(refused.text, aggregatedServer) {
			i.shedHere++
		}
		pause, err := time.ParseDuration(refused.retryAfter + "s")
		if err != nil || i.shed > 10 {
			return i
		}
		select {
		case <-time.After(pause):
		case <-c.Done():
			return i
		}
	}
}
