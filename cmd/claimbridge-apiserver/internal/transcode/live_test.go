//go:build e2e

package transcode

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/claimbridge/claimbridge/cmd/claimbridge-apiserver/internal/store"
)

// contended is a store in which somebody else is always faster, until a number of writes was tried.
type contended struct {
	live      int // code of reading the object
	overtaken int
	text      string // of the conflict
	writes    int
}

func (c *contended) answer(code int, body string) (*http.Response, error) {
	return &http.Response{StatusCode: code, Header: http.Header{"Content-Type": {asJSON}}, Body: io.NopCloser(strings.NewReader(body))}, nil
}

const storedTemplate = `{"kind":"ResourceClaimTemplate","apiVersion":"resource.k8s.io/v1","metadata":{"name":"a","resourceVersion":"7"},"spec":{"spec":{"devices":{}}}}`

func (c *contended) AsCaller(context.Context, store.Request) (*http.Response, error) {
	if c.writes++; c.writes > c.overtaken {
		return c.answer(http.StatusOK, storedTemplate)
	}
	return c.answer(http.StatusConflict, `{"kind":"Status","apiVersion":"v1","status":"Failure","reason":"Conflict","code":409,"message":"`+c.text+`"}`)
}

func (c *contended) Live(context.Context, store.Request, bool) (*http.Response, error) {
	if c.live != 0 {
		return c.answer(c.live, `{"kind":"Status","apiVersion":"v1","status":"Failure"}`)
	}
	return c.answer(http.StatusOK, storedTemplate)
}

func TestAWriteIsTriedAgainWhenAnotherWasFaster(t *testing.T) {
	const overtaken = `Operation cannot be fulfilled on resourceclaimtemplates.resource.k8s.io \"a\": ` + overtakenText
	tests := map[string]struct {
		store  contended
		body   string
		code   int
		writes int
	}{
		"once":                            {contended{overtaken: 1, text: overtaken}, `{"metadata":{"name":"a"}}`, 200, 2},
		"often":                           {contended{overtaken: maxTries - 1, text: overtaken}, `{"metadata":{"name":"a"}}`, 200, maxTries},
		"always":                          {contended{overtaken: 1000, text: overtaken}, `{"metadata":{"name":"a"}}`, 409, maxTries},
		"zero is any version":             {contended{overtaken: 1, text: overtaken}, `{"metadata":{"name":"a","resourceVersion":"0"}}`, 200, 2},
		"not when it names a version":     {contended{overtaken: 1, text: overtaken}, `{"metadata":{"name":"a","resourceVersion":"7"}}`, 409, 1},
		"not when it names another one":   {contended{overtaken: 1, text: overtaken}, `{"metadata":{"name":"a","resourceVersion":"6"}}`, 409, 1},
		"not for another conflict":        {contended{overtaken: 1, text: "the UID is another"}, `{"metadata":{"name":"a"}}`, 409, 1},
		"not when there is no object":     {contended{live: 404}, `{"metadata":{"name":"a"}}`, 404, 0},
		"not when the server may not":     {contended{live: 403}, `{"metadata":{"name":"a"}}`, 500, 0},
		"not when the store is away":      {contended{live: 503}, `{"metadata":{"name":"a"}}`, 503, 0},
		"not when the store has too much": {contended{live: 429}, `{"metadata":{"name":"a"}}`, 429, 0},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				req := httptest.NewRequest(http.MethodPut, inVersion+"/namespaces/NS/resourceclaimtemplates/a", strings.NewReader(test.body))
				w := httptest.NewRecorder()
				around(New(&test.store, nil, nil, Options{})).ServeHTTP(w, req)
				if w.Code != test.code || test.store.writes != test.writes {
					t.Errorf("want %d after %d writes, got %d after %d: %s", test.code, test.writes, w.Code, test.store.writes, w.Body)
				}
			})
		})
	}
}

// behind is a store that has less in memory than is stored.
type behind struct {
	memory, stored string // resourceVersion and the text of a field that the version does not know; "" for no object
	written        []string
	fresh          bool
}

func (b *behind) template(version string) (*http.Response, error) {
	if version == "" {
		return notThere()
	}
	const text = `{"kind":"ResourceClaimTemplate","apiVersion":"resource.k8s.io/v1","metadata":{"name":"a","resourceVersion":"VERSION"},"spec":{"spec":{"devices":{},"later":"VERSION"}}}`
	return (&contended{}).answer(http.StatusOK, strings.ReplaceAll(text, "VERSION", version))
}

func (b *behind) Live(_ context.Context, _ store.Request, cached bool) (*http.Response, error) {
	if cached {
		return b.template(b.memory)
	}
	b.fresh = true
	return b.template(b.stored)
}

// AsCaller takes a write of what is stored, and no other.
func (b *behind) AsCaller(_ context.Context, r store.Request) (*http.Response, error) {
	b.written = append(b.written, string(r.Body))
	if strings.Contains(string(r.Body), `"resourceVersion":"`+b.stored+`"`) {
		return b.template(b.stored)
	}
	const overtaken = `{"kind":"Status","apiVersion":"v1","status":"Failure","reason":"Conflict","code":409,"message":"a: ` + overtakenText + `"}`
	return (&contended{}).answer(http.StatusConflict, overtaken)
}

// What an API server has in memory may be older than what is stored. Nothing is lost by that, and nobody is told of it.
func TestWhatIsInMemoryMayBeOld(t *testing.T) {
	tests := map[string]struct {
		memory, version string // that the caller names
		code, writes    int
		fresh           bool
	}{
		"as it is stored":                           {memory: "7", version: "7", code: 200, writes: 1},
		"as it is stored, for any version":          {memory: "7", code: 200, writes: 1},
		"older than what the caller has seen":       {memory: "6", version: "7", code: 200, writes: 1, fresh: true},
		"older, for any version":                    {memory: "6", code: 200, writes: 2, fresh: true},
		"not there yet":                             {version: "7", code: 200, writes: 1, fresh: true},
		"an old copy that was right, of the caller": {memory: "6", version: "6", code: 409, writes: 1},
		"an old copy of the caller":                 {memory: "7", version: "6", code: 409, writes: 1, fresh: true},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				b := &behind{memory: test.memory, stored: "7"}
				body := `{"metadata":{"name":"a","resourceVersion":"` + test.version + `"},"spec":{"spec":{"devices":{}}}}`
				req := httptest.NewRequest(http.MethodPut, inVersion+"/namespaces/NS/resourceclaimtemplates/a", strings.NewReader(body))
				w := httptest.NewRecorder()
				around(New(b, nil, nil, Options{})).ServeHTTP(w, req)
				if w.Code != test.code || len(b.written) != test.writes || b.fresh != test.fresh {
					t.Errorf("want %d after %d writes, got %d after %q, read anew: %t: %s", test.code, test.writes, w.Code, b.written, b.fresh, w.Body)
				}
				if last := b.written[len(b.written)-1]; w.Code == http.StatusOK && !strings.Contains(last, `"later":"7"`) {
					t.Errorf("a field that the version does not know is not what is stored: %s", last)
				}
			})
		})
	}
}
