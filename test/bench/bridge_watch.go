package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"
)

const (
	anonymousBytes = "anonymous-B"
	// eventsPerWatch are sent to every watch before memory is read, so that each has had what it needs for one.
	eventsPerWatch = 5

	proxyIdle, proxyWatched = "idle", "watched"
)

func proxyMemory(when string) string { return "Bridge/what=memory/when=" + when }

// bridgeEvents measures the time from sending a write to the cluster to its event, the ways in turn.
func (b *bench) bridgeEvents(w *ways) error {
	for round := range b.clusterRounds {
		for i := range w.all { // another one begins each round
			c := w.all[(i+round)%len(w.all)]
			latencies, err := b.eventsOf(c, w.names[0])
			if err != nil {
				return fmt.Errorf("%s, events: %w", c.name, err)
			}
			b.addLatencies(bridgeName(bridgeEvent, c.name), latencies)
		}
	}
	return nil
}

// eventsOf one claim, that a watch of all claims sees.
func (b *bench) eventsOf(c *way, name string) (latencies []time.Duration, err error) {
	ctx, cancel := context.WithCancel(b)
	defer cancel()
	watch, err := c.watch(ctx)
	if err != nil {
		return nil, err
	}
	defer watch.Close()
	in := json.NewDecoder(watch)
	for range min(b.writes, callsPerRound) {
		value := now()
		wrote := make(chan error, 1)
		begun := time.Now()
		go func() { wrote <- c.write(name, value) }()
		var event struct {
			Type   string
			Object struct {
				APIVersion string
				Metadata   struct{ Annotations map[string]string }
			}
		}
		err := in.Decode(&event)
		latencies = append(latencies, time.Since(begun))
		if err := errors.Join(<-wrote, err); err != nil {
			return nil, err
		}
		if got := event.Object; event.Type != "MODIFIED" || got.Metadata.Annotations[annotation] != value || got.APIVersion != "resource.k8s.io/"+bridgedVersion {
			return nil, fmt.Errorf("the event of a write is %+v", event)
		}
	}
	return latencies, nil
}

// write an annotation, in the version that the cluster serves.
func (c *way) write(name, value string) error {
	return c.direct.request(http.MethodPatch, path(c.served, "/"+name), asMergePatch, asJSON, annotate(value), nil)
}

// watch all claims, from now on.
func (c *way) watch(ctx context.Context) (io.ReadCloser, error) {
	var list struct {
		Metadata struct{ ResourceVersion string }
	}
	if err := c.direct.get(path(c.served, "?limit=1"), asMetadata, &list); err != nil {
		return nil, err
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, c.client.url+path(bridgedVersion, "?watch=true&resourceVersion="+list.Metadata.ResourceVersion), http.NoBody)
	if err != nil {
		return nil, err
	}
	response, err := c.client.http.Do(request)
	if err != nil {
		return nil, err
	}
	if response.StatusCode != http.StatusOK {
		_ = response.Body.Close()
		return nil, &apiError{code: response.StatusCode}
	}
	return response.Body, nil
}

// idleProxy reads memory when somebody has asked once, and the proxy has settled after its start.
func (b *bench) idleProxy(w *ways) error {
	if _, err := w.all[2].client.time(timed{method: http.MethodGet, path: path(bridgedVersion, "/"+w.names[0])}); err != nil {
		return err
	}
	select {
	case <-time.After(b.settles):
	case <-b.Done():
		return b.Err()
	}
	return b.readProxy(w, proxyIdle, 1)
}

// watchedProxy reads memory with many watches of all claims, when each has had some events.
func (b *bench) watchedProxy(w *ways) error {
	c := w.all[2]
	ctx, cancel := context.WithCancel(b)
	var seen atomic.Int64
	var readers sync.WaitGroup
	defer readers.Wait()
	defer cancel()
	var group errgroup.Group
	group.SetLimit(writers)
	for range b.watches {
		group.Go(func() error {
			watch, err := c.watch(ctx)
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
		if err := c.write(w.names[0], now()); err != nil {
			return err
		}
	}
	want := int64(b.watches * eventsPerWatch)
	for deadline := time.Now().Add(patience); seen.Load() < want; time.Sleep(10 * time.Millisecond) {
		if time.Now().After(deadline) || b.Err() != nil {
			return fmt.Errorf("%d watches have had %d of %d events", b.watches, seen.Load(), want)
		}
	}
	return b.readProxy(w, proxyWatched, b.watches)
}

// readProxy memory.
func (b *bench) readProxy(w *ways, when string, n int) error {
	p := process(w.proxy.Process.Pid)
	resident, err := p.resident()
	if err != nil {
		return err
	}
	anonymous, err := p.anonymous()
	if err != nil {
		return err
	}
	b.results.add(proxyMemory(when), n, values{residentBytes: float64(resident), anonymousBytes: float64(anonymous)})
	return nil
}
