package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"
)

const (
	anonymousBytes = "anonymous-B"
	listBytes      = "list-B"
	// eventsPerWatch are sent to every watch before memory is read, so that each has had what it needs for one.
	eventsPerWatch = 5
)

// readAggregated memory of the server.
func (b *bench) readAggregated(s *sideBySide, when string, n int) error {
	resident, err := s.process.resident()
	if err != nil {
		return err
	}
	anonymous, err := s.process.anonymous()
	if err != nil {
		return err
	}
	b.results.add(aggregatedMemory(when), n, values{residentBytes: float64(resident), anonymousBytes: float64(anonymous)})
	return nil
}

func aggregatedMemory(when string) string { return "Aggregated/what=memory/when=" + when }

const aggregatedIdle, aggregatedWatched, aggregatedLists = "idle", "watched", "lists"

// idleAggregated reads memory when nobody has called but API servers, which ask for discovery, and the server has settled after its start.
func (b *bench) idleAggregated(s *sideBySide) error {
	select {
	case <-time.After(time.Until(s.started.Add(b.settles))):
	case <-b.Done():
		return b.Err()
	}
	return b.readAggregated(s, aggregatedIdle, 1)
}

// watched reads memory with many watches of all claims, when each has had some events.
func (b *bench) watched(s *sideBySide) error {
	ctx, cancel := context.WithCancel(b)
	defer cancel()
	var seen atomic.Int64
	var readers sync.WaitGroup
	defer readers.Wait()
	defer cancel()
	var group errgroup.Group
	group.SetLimit(writers)
	for i := range b.watches {
		group.Go(func() error {
			watch, err := s.ours.watch(ctx, s.ours.watchers[i%len(s.ours.watchers)])
			if err != nil {
				return err
			}
			readers.Go(func() {
				defer watch.Close()
				for lines := bufio.NewReader(watch); ; {
					_, err := lines.ReadSlice('\n')
					switch {
					case err == nil:
						seen.Add(1)
					case !errors.Is(err, bufio.ErrBufferFull):
						return
					}
				}
			})
			return nil
		})
	}
	if err := group.Wait(); err != nil {
		return fmt.Errorf("watches: %w", err)
	}
	for range eventsPerWatch {
		if err := s.ours.user.request(http.MethodPatch, path("v1", "/"+s.names[0]), asMergePatch, asJSON, annotate(now()), nil); err != nil {
			return err
		}
	}
	want := int64(b.watches * eventsPerWatch)
	for deadline := time.Now().Add(patience); seen.Load() < want; time.Sleep(10 * time.Millisecond) {
		if time.Now().After(deadline) || b.Err() != nil {
			return fmt.Errorf("%d watches have had %d of %d events", b.watches, seen.Load(), want)
		}
	}
	return b.readAggregated(s, aggregatedWatched, b.watches)
}
