package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/claimbridge/claimbridge/test/bench/claims"
)

// timed is a request whose time is taken.
type timed struct {
	method, path, contentType string
	body                      []byte
}

// aggregatedCall is a kind of request; the nth of a cluster is prepared before its time is taken. Processor time has the preparation in it: a
// put begins with a get.
type aggregatedCall struct {
	name    string
	prepare func(c *cluster, n int) (timed, error)
	// packed asks for an answer that is compressed.
	packed bool
}

const (
	asJSONPatch = "application/json-patch+json"
	// callsPerRound at most: the median does not become better by more. A list takes as long as a hundred other calls.
	callsPerRound = 100
	listsPerRound = 3
)

// aggregatedCalls measures calls over one connection, one after the other, the clusters in turn: on a machine that does nothing else, and on one
// whose cores are awake.
func (b *bench) aggregatedCalls(s *sideBySide) error {
	if err := b.aggregatedRounds(s, append(s.reads(), append(s.writes(), s.lists()...)...), asleep); err != nil {
		return err
	}
	stop, err := b.keepAwake()
	defer stop()
	if err != nil {
		return err
	}
	return b.aggregatedRounds(s, append(s.reads(), s.writes()...), awake)
}

func (b *bench) aggregatedRounds(s *sideBySide, calls []aggregatedCall, cores string) error {
	for round := range b.clusterRounds {
		for _, call := range calls {
			for i := range s.clusters() { // another one begins each round
				c := s.clusters()[(i+round)%2]
				if err := b.aggregatedRound(s, c, call, cores); err != nil {
					return fmt.Errorf("%s, %s: %w", c.name, call.name, err)
				}
			}
		}
	}
	return nil
}

func (b *bench) aggregatedRound(s *sideBySide, c *cluster, call aggregatedCall, cores string) error {
	client, n := c.user, min(b.writes, callsPerRound)
	if call.packed {
		client = c.packed
	}
	if call.isList() {
		n = listsPerRound
	}
	before, err := s.process.cpu()
	if err != nil {
		return err
	}
	var latencies []time.Duration
	for range n {
		c.calls++
		request, err := call.prepare(c, c.calls)
		if err != nil {
			return err
		}
		latency, _, err := client.time(request)
		if err != nil {
			return err
		}
		latencies = append(latencies, latency)
	}
	after, err := s.process.cpu()
	if err != nil {
		return err
	}
	slices.Sort(latencies)
	median := float64(quantile(latencies, 0.5))
	b.results.add(aggregatedName(call.name, c.name, cores), n, values{
		nsPerOp: median, p50PerOp: median, p99PerOp: float64(quantile(latencies, 0.99)), cpuPerOp: float64((after - before).Nanoseconds()) / float64(n),
	})
	b.say("  %s, %s, cores %s: %.2f ms", call.name, c.name, cores, float64(quantile(latencies, 0.5).Microseconds())/1e3)
	return nil
}

func (c aggregatedCall) isList() bool { return c.name == aggregatedList || c.name == aggregatedPacked }

const (
	aggregatedGet, aggregatedGetOther  = "get", "get-other"
	aggregatedList, aggregatedPacked   = "list", "list-packed"
	aggregatedPut, aggregatedPutOther  = "put", "put-other"
	aggregatedPatch, aggregatedReshape = "patch-metadata", "patch-spec"
	aggregatedCreate, aggregatedEvent  = "create", "event"
	aggregatedStored                   = "Aggregated/what=stored"
)

// What the cores do between two steps of a call.
const asleep, awake = "asleep", "awake"

func aggregatedName(what, server, cores string) string {
	return fmt.Sprintf("Aggregated/what=%s/server=%s/cores=%s", what, server, cores)
}

func (s *sideBySide) reads() []aggregatedCall {
	get := func(rest string) (timed, error) {
		return timed{method: http.MethodGet, path: path(aggregatedVersion, rest)}, nil
	}
	return []aggregatedCall{
		{name: aggregatedGet, prepare: func(*cluster, int) (timed, error) { return get("/" + s.names[0]) }},
		{name: aggregatedGetOther, prepare: func(_ *cluster, n int) (timed, error) { return get("/" + s.other(n)) }},
	}
}

func (s *sideBySide) lists() []aggregatedCall {
	list := func(*cluster, int) (timed, error) {
		return timed{method: http.MethodGet, path: path(aggregatedVersion, "")}, nil
	}
	return []aggregatedCall{{name: aggregatedList, prepare: list}, {name: aggregatedPacked, prepare: list, packed: true}}
}

// other claim for each call, all of them allocated.
func (s *sideBySide) other(n int) string { return s.names[2*n%len(s.names)] }

func (s *sideBySide) writes() []aggregatedCall {
	put := func(c *cluster, name string) (timed, error) {
		var claim map[string]any
		if err := c.user.get(path(aggregatedVersion, "/"+name), asJSON, &claim); err != nil {
			return timed{}, err
		}
		claim["metadata"].(map[string]any)["annotations"].(map[string]any)[annotation] = now()
		body, err := json.Marshal(claim)
		return timed{http.MethodPut, path(aggregatedVersion, "/"+name), asJSON, body}, err
	}
	return []aggregatedCall{
		{name: aggregatedPut, prepare: func(c *cluster, _ int) (timed, error) { return put(c, s.names[0]) }},
		{name: aggregatedPutOther, prepare: func(c *cluster, n int) (timed, error) { return put(c, s.other(n)) }},
		{name: aggregatedPatch, prepare: func(*cluster, int) (timed, error) {
			return timed{http.MethodPatch, path(aggregatedVersion, "/"+s.names[0]), asMergePatch, annotate(now())}, nil
		}},
		// A spec does not change, but who applies a whole claim sends it. Versions differ in it.
		{name: aggregatedReshape, prepare: func(*cluster, int) (timed, error) {
			patch := fmt.Appendf(nil, `[{"op":"test","path":"/spec/devices/requests/0/name","value":"gpu"},{"op":"add","path":"/metadata/annotations/%s","value":%q}]`,
				strings.ReplaceAll(annotation, "/", "~1"), now())
			return timed{http.MethodPatch, path(aggregatedVersion, "/"+s.names[0]), asJSONPatch, patch}, nil
		}},
		{name: aggregatedCreate, prepare: func(_ *cluster, n int) (timed, error) {
			return timed{http.MethodPost, "/apis/" + claims.Group + "/" + aggregatedVersion + "/namespaces/" + createdIn + "/resourceclaims", asJSON, sizedClaim(aggregatedVersion, n, false)}, nil
		}},
	}
}

// annotation that writes change.
const annotation = "example.com/written"

func now() string { return fmt.Sprint(time.Now().UnixNano()) }

func annotate(value string) []byte {
	return fmt.Appendf(nil, `{"metadata":{"annotations":{%q:%q}}}`, annotation, value)
}

// time from sending a request to the last byte of its answer, which is thrown away, and its size.
func (c *apiServerClient) time(r timed) (latency time.Duration, size int64, err error) {
	request, err := http.NewRequestWithContext(c.Context, r.method, c.url+r.path, bytes.NewReader(r.body))
	if err != nil {
		return 0, 0, err
	}
	request.Header.Set("Accept", asJSON)
	if r.body != nil {
		request.Header.Set("Content-Type", r.contentType)
	}
	begun := time.Now()
	response, err := c.http.Do(request)
	if err != nil {
		return 0, 0, err
	}
	defer response.Body.Close()
	if response.StatusCode >= 300 {
		text, _ := io.ReadAll(io.LimitReader(response.Body, 4096))
		return 0, 0, fmt.Errorf("%s %s: %w", r.method, r.path, &apiError{response.StatusCode, string(text), response.Header.Get("Retry-After")})
	}
	size, err = io.Copy(io.Discard, response.Body)
	return time.Since(begun), size, err
}
