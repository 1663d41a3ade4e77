package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"time"
)

// events measures the time from sending a write in v1 to its event in the old version, the clusters in turn.
func (b *bench) events(s *sideBySide) error {
	for round := range b.clusterRounds {
		for i := range s.clusters() { // another one begins each round
			c := s.clusters()[(i+round)%2]
			latencies, err := b.eventsOf(c, s.names[0])
			if err != nil {
				return fmt.Errorf("%s, events: %w", c.name, err)
			}
			slices.Sort(latencies)
			b.results.add(aggregatedName(aggregatedEvent, c.name, asleep), len(latencies), values{
				p50PerOp: float64(quantile(latencies, 0.5)), p99PerOp: float64(quantile(latencies, 0.99)),
			})
		}
	}
	return nil
}

// eventsOf a cluster are those of one claim, that a watch of all claims sees.
func (b *bench) eventsOf(c *cluster, name string) (latencies []time.Duration, err error) {
	ctx, cancel := context.WithCancel(b)
	defer cancel()
	watch, err := c.watch(ctx, c.packed)
	if err != nil {
		return nil, err
	}
	defer watch.Close()
	in := json.NewDecoder(watch)
	for range min(b.writes, callsPerRound) {
		value := now()
		wrote := make(chan error, 1)
		begun := time.Now()
		go func() {
			wrote <- c.user.request(http.MethodPatch, path("v1", "/"+name), asMergePatch, asJSON, annotate(value), nil)
		}()
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
		if got := event.Object; event.Type != "MODIFIED" || got.Metadata.Annotations[annotation] != value || got.APIVersion != "resource.k8s.io/"+aggregatedVersion {
			return nil, fmt.Errorf("the event of a write is %+v", event)
		}
	}
	return latencies, nil
}

// watch all claims in the old version, from now on, by a client.
func (c *cluster) watch(ctx context.Context, by *apiServerClient) (io.ReadCloser, error) {
	var list struct {
		Metadata struct{ ResourceVersion string }
	}
	if err := c.user.get(path("v1", "?limit=1"), asMetadata, &list); err != nil {
		return nil, err
	}
	return by.open(ctx, path(aggregatedVersion, "?watch=true&resourceVersion="+list.Metadata.ResourceVersion))
}

// open an answer that does not end.
func (c *apiServerClient) open(ctx context.Context, path string) (io.ReadCloser, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, c.url+path, http.NoBody)
	if err != nil {
		return nil, err
	}
	request.Header.Set("Accept", asJSON)
	response, err := c.http.Do(request)
	if err != nil {
		return nil, err
	}
	if response.StatusCode != http.StatusOK {
		defer response.Body.Close()
		text, _ := io.ReadAll(io.LimitReader(response.Body, 4096))
		return nil, &apiError{response.StatusCode, string(text), response.Header.Get("Retry-After")}
	}
	return response.Body, nil
}
