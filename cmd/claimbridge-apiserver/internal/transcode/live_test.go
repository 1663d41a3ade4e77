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

func (c *contended) Live(context.Context, store.Request) (*http.Response, error) {
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
