//go:build e2e

package transcode

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
)

// counted is memory that says what is asked of it.
type counted struct {
	none, noWatches bool
	asked           []string
	taken           int
}

func (m *counted) Take(_ context.Context, all bool) (func(), bool) {
	what := "half"
	if all {
		what = "all"
	}
	return m.take(what, m.none)
}

func (m *counted) Watch(context.Context, bool) (func(), error) {
	if free, ok := m.take("watch", m.noWatches); ok {
		return free, nil
	}
	return nil, apierrors.NewTooManyRequests("no more watches", 1)
}

func (m *counted) take(what string, none bool) (func(), bool) {
	m.asked = append(m.asked, what)
	if none {
		return nil, false
	}
	m.taken++
	return func() { m.taken-- }, true
}

func TestWhatIsBigAsksForMemory(t *testing.T) {
	object := func(size int) string {
		return `{"kind":"ResourceClaim","apiVersion":"resource.k8s.io/v1","metadata":{"name":"a","annotations":{"a":"` + strings.Repeat("x", size) + `"}},"spec":{"devices":{}}}`
	}
	list := func(items ...string) string { return listBegin + strings.Join(items, ",") + "]}" }
	event := func(object string) string { return `{"type":"ADDED","object":` + object + "}\n" }
	const small, middle, big = 1000, 300 << 10, 600 << 10
	const one = inVersion + "/namespaces/default/resourceclaims/a"
	tests := map[string]struct {
		memory        counted
		path, accept  string
		answer        string
		code          int
		asked         []string
		brokenOff     bool
		lastEventType string
	}{
		"a small object does not":                        {path: one, answer: object(small), code: 200},
		"one of 300 KiB does not":                        {path: one, answer: object(middle), code: 200},
		"one of 600 KiB does":                            {path: one, answer: object(big), code: 200, asked: []string{"half"}},
		"as YAML one of 300 KiB does, for trees":         {path: one, accept: asYAML, answer: object(middle), code: 200, asked: []string{"all"}},
		"without memory it is refused":                   {memory: counted{none: true}, path: one, answer: object(big), code: 429, asked: []string{"half"}},
		"a long list of small ones does not":             {path: allClaims, answer: list(strings.Repeat(object(small)+",", 3000) + object(small)), code: 200},
		"a list with some big ones asks once":            {path: allClaims, answer: list(object(small), object(big), object(big)), code: 200, asked: []string{"half"}},
		"a list is refused before it is sent":            {memory: counted{none: true}, path: allClaims, answer: list(object(small), object(big)), code: 429, asked: []string{"half"}},
		"and broken off afterwards":                      {memory: counted{none: true}, path: allClaims, answer: list(strings.Repeat(object(small)+",", 3000) + object(big)), brokenOff: true, asked: []string{"half"}},
		"a watch does, once":                             {path: allClaims + "?watch=true", answer: event(object(small)), code: 200, asked: []string{"watch"}, lastEventType: "ADDED"},
		"each big event does, and gives it back":         {path: allClaims + "?watch=true", answer: event(object(big)) + event(object(small)) + event(object(big)) + event(object(small)), code: 200, asked: []string{"watch", "half", "half"}, lastEventType: "ADDED"},
		"a watch ends with a reason":                     {memory: counted{none: true}, path: allClaims + "?watch=true", answer: event(object(small)) + event(object(big)), code: 200, asked: []string{"watch", "half"}, lastEventType: "ERROR"},
		"there are no more watches than have their part": {memory: counted{noWatches: true}, path: allClaims + "?watch=true", answer: event(object(small)), code: 429, asked: []string{"watch"}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			server := httptest.NewServer(around(New(crafted{strings.NewReader(test.answer)}, nil, http.NotFoundHandler(), Options{Memory: &test.memory})))
			defer server.Close()
			req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, server.URL+test.path, nil)
			if err != nil {
				t.Fatal(err)
			}
			req.Header.Set("Accept", test.accept)
			resp, err := http.DefaultClient.Do(req)
			if err != nil {
				t.Fatal(err)
			}
			defer resp.Body.Close()
			body, err := io.ReadAll(resp.Body)
			if test.brokenOff != (err != nil) || !test.brokenOff && resp.StatusCode != test.code {
				t.Errorf("code %d, error %v, %.300s", resp.StatusCode, err, body)
			}
			server.Close() // all handlers are done
			if diff := cmp.Diff(test.asked, test.memory.asked); diff != "" {
				t.Errorf("asked for memory (-want +got):\n%s", diff)
			}
			if test.memory.taken != 0 {
				t.Errorf("%d parts were not given back", test.memory.taken)
			}
			if test.lastEventType != "" {
				lines := strings.Split(strings.TrimSpace(string(body)), "\n")
				if last := lines[len(lines)-1]; !strings.HasPrefix(last, `{"type":"`+test.lastEventType+`"`) {
					t.Errorf("the last of %d events is %.100s", len(lines), last)
				}
			}
		})
	}
}
