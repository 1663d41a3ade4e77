package transcode

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/claimbridge/claimbridge/test/testkit/must"
)

// always a cluster's answer.
type always struct{ body io.Reader }

func (a always) RoundTrip(*http.Request) (*http.Response, error) {
	return &http.Response{
		StatusCode: http.StatusOK,
		Header:     http.Header{"Content-Type": {"application/json"}},
		Body:       io.NopCloser(a.body),
	}, nil
}

// watched are the events of a cluster of v1beta1, in v1.
func watched(ctx context.Context, t *testing.T, body io.Reader) (string, error) {
	t.Helper()
	r := httptest.NewRequestWithContext(ctx, http.MethodGet,
		"https://cluster/apis/resource.k8s.io/v1/resourceclaims?watch", http.NoBody)
	target, _ := Parse(r.URL)
	resp := must.Get(Cluster{Next: always{body}, Version: "v1beta1"}.RoundTrip(r, target))(t)
	defer resp.Body.Close()
	shown, err := io.ReadAll(resp.Body)
	return string(shown), err
}

// eventsOf claims whose names have so many bytes.
func eventsOf(times, size int) string {
	event := `{"type":"ADDED","object":{"apiVersion":"resource.k8s.io/v1beta1","kind":"ResourceClaim",` +
		`"metadata":{"name":"` + strings.Repeat("a",
		size) + `"}}}`
	return strings.Repeat(event+"\n", times)
}

// Small events behind a great one are in its buffer, all of them.
func TestWhatWasReadAheadIsNotCopied(t *testing.T) {
	const times = 4000
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	shown, err := watched(t.Context(), t, strings.NewReader(eventsOf(1, 1<<20)+eventsOf(times, 1)))
	runtime.ReadMemStats(&after)
	if got := strings.Count(shown, `"resource.k8s.io/v1"`); err != nil || got != 1+times {
		t.Errorf("%d events of %d, %v", got, 1+times, err)
	}
	if took := after.TotalAlloc - before.TotalAlloc; took > 40<<20 {
		t.Errorf("%d MiB were allocated", took>>20)
	}
}

func TestBuffersOfEventsAreUsedAgainUnlessGreat(t *testing.T) {
	const times = 100
	for size, most := range map[int]int{1: times / 2, maxPooled: times} {
		made := 0
		buffersOfEvents = sync.Pool{New: func() any { made++; return &buffers{d: new(jsontext.Decoder)} }}
		for range times {
			must.Get(watched(t.Context(), t, strings.NewReader(eventsOf(1, size))))(t)
		}
		if made > most || size == maxPooled && made != times {
			t.Errorf("events of %d bytes: %d times buffers in %d watches", size, made, times)
		}
	}
}

func TestHowAWatchEnds(t *testing.T) {
	failure := errors.New("broken")
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	for name, test := range map[string]struct {
		ctx    context.Context
		behind io.Reader // an event
		last   string
		err    error
	}{
		"by its cluster":   {t.Context(), strings.NewReader(""), "ADDED", nil},
		"within an event":  {t.Context(), strings.NewReader(`{"type":`), "ADDED", nil},
		"by its client":    {gone, broken{failure}, "ADDED", context.Canceled},
		"by the transport": {t.Context(), broken{failure}, "ADDED", failure},
		"with one too great": {
			t.Context(),
			strings.NewReader(eventsOf(1, maxObject)),
			"an object of the cluster exceeds",
			nil,
		},
		"with many, together": {t.Context(), strings.NewReader(eventsOf(40, maxObject/32)), "ADDED", nil},
	} {
		t.Run(name, func(t *testing.T) {
			shown, err := watched(test.ctx, t, io.MultiReader(strings.NewReader(eventsOf(1, 1)), test.behind))
			lines := strings.SplitAfter(shown, "\n")
			if last := lines[max(0, len(lines)-2)]; !errors.Is(err, test.err) || !strings.Contains(last, test.last) {
				t.Errorf("%v, behind %.200s", err, last)
			}
		})
	}
}
