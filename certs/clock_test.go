package certs

import (
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/claimbridge/claimbridge/test/testkit/must"
)

func TestClockFollowsTheAPIServer(t *testing.T) {
	for name, test := range map[string]struct{ ahead, want time.Duration }{
		"the same time":  {0, 0},
		"slightly ahead": {4 * time.Second, 0},
		"an hour ahead":  {time.Hour, time.Hour},
		"a month behind": {-30 * day, -30 * day},
		"no Date header": {-1, 0},
	} {
		t.Run(name, func(t *testing.T) {
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
				w.Header().Set("Date", time.Now().Add(test.ahead).UTC().Format(http.TimeFormat))
				if test.ahead == -1 {
					w.Header()["Date"] = nil
				}
			}))
			defer server.Close()
			var clock serverClock
			response := must.Get((&http.Client{Transport: dateReader{http.DefaultTransport, &clock}}).Get(server.URL))(t)
			_ = response.Body.Close()
			got := time.Until(clock.Now()) - test.want
			if got.Abs() > time.Minute || clock.Since(clock.Now()).Abs() > time.Minute ||
				test.want == 0 && clock.ahead.Load() != 0 {
				t.Errorf("off by %s", got)
			}
		})
	}
}

func TestResponsesWithoutADate(t *testing.T) {
	server := httptest.NewServer(http.NotFoundHandler())
	server.Close()
	var clock serverClock
	_, err := (&http.Client{Transport: dateReader{http.DefaultTransport, &clock}}).Get(server.URL)
	if err == nil || clock.ahead.Load() != 0 {
		t.Errorf("error %v, ahead by %d", err, clock.ahead.Load())
	}
}
