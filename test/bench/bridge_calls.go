package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"slices"
	"time"
)

// timed is a request whose time is taken.
type timed struct {
	method, path, contentType string
	body                      []byte
}

// bridgeCall is a kind of request; the nth of a way is prepared before its time is taken.
type bridgeCall struct {
	name    string
	n       int // in a round, at most
	prepare func(c *way, n int) (timed, error)
}

const (
	// callsPerRound at most: the median does not become better by more. A list takes as long as a hundred other calls.
	callsPerRound, listsPerRound = 100, 3

	bridgeGet, bridgeList  = "get", "list"
	bridgePut, bridgePatch = "put", "patch-metadata"
	bridgeCreate           = "create"
	bridgeEvent            = "event"
	bridgeStored           = "Bridge/what=stored"
)

func bridgeName(what, way string) string { return fmt.Sprintf("Bridge/what=%s/way=%s", what, way) }

// bridgeCalls measures calls over one connection, the ways in turn with every call, so that a busy moment meets all of them.
func (b *bench) bridgeCalls(w *ways) error {
	for round := range b.clusterRounds {
		for _, call := range w.calls() {
			n := min(b.writes, call.n)
			latencies := map[string][]time.Duration{}
			for i := range n * len(w.all) {
				c := w.all[(i+round)%len(w.all)] // another one begins each round
				c.calls++
				request, err := call.prepare(c, c.calls)
				if err == nil {
					var latency time.Duration
					latency, err = c.client.time(request)
					latencies[c.name] = append(latencies[c.name], latency)
				}
				if err != nil {
					return fmt.Errorf("%s, %s: %w", c.name, call.name, err)
				}
			}
			for way, all := range latencies {
				b.addLatencies(bridgeName(call.name, way), all)
			}
		}
	}
	return nil
}

func (b *bench) addLatencies(name string, all []time.Duration) {
	slices.Sort(all)
	median := float64(quantile(all, 0.5))
	b.results.add(name, len(all), values{nsPerOp: median, p50PerOp: median, p99PerOp: float64(quantile(all, 0.99))})
}

func (w *ways) calls() []bridgeCall {
	return []bridgeCall{
		{bridgeGet, callsPerRound, func(_ *way, n int) (timed, error) {
			return timed{method: http.MethodGet, path: path(bridgedVersion, "/"+w.other(n))}, nil
		}},
		{bridgePut, callsPerRound, func(c *way, n int) (timed, error) {
			var claim map[string]any
			if err := c.client.get(path(bridgedVersion, "/"+w.other(n)), asJSON, &claim); err != nil {
				return timed{}, err
			}
			claim["metadata"].(map[string]any)["annotations"].(map[string]any)[annotation] = now()
			body, err := json.Marshal(claim)
			return timed{http.MethodPut, path(bridgedVersion, "/"+w.other(n)), asJSON, body}, err
		}},
		{bridgePatch, callsPerRound, func(_ *way, n int) (timed, error) {
			return timed{http.MethodPatch, path(bridgedVersion, "/"+w.other(n)), asMergePatch, annotate(now())}, nil
		}},
		{bridgeList, listsPerRound, func(*way, int) (timed, error) {
			return timed{method: http.MethodGet, path: path(bridgedVersion, "")}, nil
		}},
		{bridgeCreate, callsPerRound, func(c *way, n int) (timed, error) { // last, as lists have what is created; two ways are to one cluster
			claim := sizedClaim(bridgedVersion, 100_000*(1+slices.Index(w.all, c))+n, false)
			return timed{http.MethodPost, path(bridgedVersion, "?dryRun=All"), asJSON, claim}, nil
		}},
	}
}

// annotation that writes change.
const annotation = "example.com/written"

func now() string { return fmt.Sprint(time.Now().UnixNano()) }

func annotate(value string) []byte {
	return fmt.Appendf(nil, `{"metadata":{"annotations":{%q:%q}}}`, annotation, value)
}

// time from sending a request to the last byte of its answer, which is thrown away.
func (c *apiServerClient) time(r timed) (time.Duration, error) {
	request, err := http.NewRequestWithContext(c.Context, r.method, c.url+r.path, bytes.NewReader(r.body))
	if err != nil {
		return 0, err
	}
	request.Header.Set("Accept", asJSON)
	if r.body != nil {
		request.Header.Set("Content-Type", r.contentType)
	}
	begun := time.Now()
	response, err := c.http.Do(request)
	if err != nil {
		return 0, err
	}
	defer response.Body.Close()
	if response.StatusCode >= 300 {
		text, _ := io.ReadAll(io.LimitReader(response.Body, 4096))
		return 0, fmt.Errorf("%s %s: %w", r.method, r.path, &apiError{response.StatusCode, string(text), response.Header.Get("Retry-After")})
	}
	_, err = io.Copy(io.Discard, response.Body)
	return time.Since(begun), err
}
