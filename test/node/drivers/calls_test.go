package drivers

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"k8s.io/client-go/rest"
)

const (
	// callsASecond of all callers together.
	callsASecond = 50
	callers      = 25
	// inFlight is what an API server gives a request.
	inFlight = time.Minute
)

// calls that somebody makes without a pause, each once: nothing is tried again, so that nothing that is lost is hidden.
type calls struct {
	client *http.Client
	host   string

	mutex  sync.Mutex
	phase  string
	phases []string
	made   map[string]int
	failed map[string][]string
}

// call begins to call through old versions, by a client without retries, until it is stopped.
func (c *cluster) call(t *testing.T, config *rest.Config) (made *calls, stop func()) {
	t.Helper()
	client, err := rest.HTTPClientFor(config)
	if err != nil {
		t.Fatal(err)
	}
	client.Timeout = inFlight
	made = &calls{client: client, host: strings.TrimSuffix(config.Host, "/"), made: map[string]int{}, failed: map[string][]string{}}
	made.enter("before")
	ctx, cancel := context.WithCancel(context.WithoutCancel(t.Context()))
	var ended sync.WaitGroup
	for i := range callers {
		ended.Go(func() {
			// Not all at the same moment.
			time.Sleep(time.Duration(i) * time.Second / callsASecond)
			made.caller(ctx, i)
		})
	}
	stop = sync.OnceFunc(func() { cancel(); ended.Wait() })
	t.Cleanup(stop)
	return made, stop
}

// enter a phase, for which calls count that begin in it.
func (m *calls) enter(phase string) {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	m.phase = phase
	m.phases = append(m.phases, phase)
}

// caller makes one call after the other on a claim of its own, with both of the later versions.
func (m *calls) caller(ctx context.Context, number int) {
	turn := time.NewTicker(callers * time.Second / callsASecond)
	defer turn.Stop()
	for round := 0; ; round++ {
		name := fmt.Sprintf("caller-%d-%d", number, round)
		var claim string
		for _, next := range []struct {
			method, version, name, body string
			status                      int
		}{
			{http.MethodPost, "v1beta1", "", `{"apiVersion":"resource.k8s.io/v1beta1","kind":"ResourceClaim","metadata":{"name":"` + name + `"},` +
				`"spec":{"devices":{"requests":[{"name":"gpu","deviceClassName":"gpu.example.com"}]}}}`, http.StatusCreated},
			{http.MethodGet, "v1beta2", name, "", http.StatusOK},
			{http.MethodPatch, "v1beta1", name, `{"metadata":{"labels":{"round":"one"}}}`, http.StatusOK},
			{http.MethodGet, "v1beta1", name, "", http.StatusOK},
			{http.MethodPut, "v1beta1", name, "", http.StatusOK}, // of what was just read
			{http.MethodGet, "v1beta1", "?limit=10", "", http.StatusOK},
			{http.MethodDelete, "v1beta2", name, "", http.StatusOK},
		} {
			select {
			case <-turn.C:
			case <-ctx.Done():
				return
			}
			body := next.body
			if next.method == http.MethodPut {
				body = strings.Replace(claim, `"round":"one"`, `"round":"two"`, 1)
			}
			path := "/apis/resource.k8s.io/" + next.version + "/namespaces/default/resourceclaims/" + next.name
			answer, ok := m.once(next.method, strings.TrimSuffix(strings.Replace(path, "/?", "?", 1), "/"), body, next.status)
			if !ok {
				break // with another claim; what follows would fail for this
			}
			claim = answer
		}
	}
}

// once, whatever comes of it.
func (m *calls) once(method, path, body string, want int) (answer string, ok bool) {
	m.mutex.Lock()
	phase := m.phase
	m.made[phase]++
	m.mutex.Unlock()
	begun := time.Now()
	answer, err := m.do(method, path, body, want)
	if err != nil {
		m.mutex.Lock()
		m.failed[phase] = append(m.failed[phase], fmt.Sprintf("%s +%s %s %s: %v", begun.Format(time.TimeOnly), time.Since(begun).Round(time.Millisecond), method, path, err))
		m.mutex.Unlock()
	}
	return answer, err == nil
}

func (m *calls) do(method, path, body string, want int) (string, error) {
	// Of its own context: a call that was begun is brought to its end.
	request, err := http.NewRequestWithContext(context.Background(), method, m.host+path, strings.NewReader(body))
	if err != nil {
		return "", err
	}
	request.Header.Set("Content-Type", "application/json")
	if method == http.MethodPatch {
		request.Header.Set("Content-Type", "application/merge-patch+json")
	}
	answer, err := m.client.Do(request)
	if err != nil {
		return "", err
	}
	defer func() { _ = answer.Body.Close() }()
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		return "", fmt.Errorf("%s: %w", answer.Status, err)
	}
	if answer.StatusCode != want || !json.Valid(text) {
		return "", fmt.Errorf("%s: %.300s", answer.Status, text)
	}
	return string(text), nil
}

// report of all phases: what was called, and the first of what failed.
func (m *calls) report(t *testing.T) (failed int) {
	t.Helper()
	m.mutex.Lock()
	defer m.mutex.Unlock()
	made := 0
	for _, phase := range m.phases {
		made, failed = made+m.made[phase], failed+len(m.failed[phase])
		t.Logf("%-50s %6d calls, %d failed", phase, m.made[phase], len(m.failed[phase]))
		for _, text := range m.failed[phase][:min(5, len(m.failed[phase]))] {
			t.Log("    ", text)
		}
	}
	t.Logf("%-50s %6d calls, %d failed", "all", made, failed)
	return failed
}
