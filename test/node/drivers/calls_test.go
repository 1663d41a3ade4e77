//go:build node && aggregated

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
	failed map[string][]*failure
	claims map[string]*told
}

// failure of a call.
type failure struct {
	begun time.Time
	took  time.Duration
	what  string
	err   error
}

func (f failure) String() string {
	return fmt.Sprintf("%s +%s %s: %v", f.begun.Format(time.TimeOnly), f.took.Round(time.Millisecond), f.what, f.err)
}

// unsent tells whether kube-apiserver says that it has sent the call to no server that began it: its connection was ended by a server that is about to stop, and
// it keeps no body to send again (kubernetes/kubernetes#135285).
func (f failure) unsent() bool {
	said := f.err.Error()
	return strings.HasPrefix(said, "503 ") && (strings.Contains(said, "[http2: Transport received Server's graceful shutdown GOAWAY] after Request.Body was written") ||
		strings.Contains(said, "net/http: cannot rewind body after connection loss"))
}

// unsentAtMost are let pass of all calls: a moment in which nothing runs has cost nine, and there are some twenty ends of connections.
const unsentAtMost = 30

// going is what the names of phases begin with in which a pod goes while the other one is ready.
const going = "going: "

// outage is what the names of phases begin with in which no pod is ready for a while: calls may be refused then, with status 503.
const outage = "outage: "

// call begins to call through old versions, by a client without retries, until it is stopped.
func (c *cluster) call(t *testing.T, config *rest.Config) (made *calls, stop func()) {
	t.Helper()
	client, err := rest.HTTPClientFor(config)
	if err != nil {
		t.Fatal(err)
	}
	client.Timeout = inFlight
	made = &calls{client: client, host: strings.TrimSuffix(config.Host, "/"), made: map[string]int{}, failed: map[string][]*failure{}, claims: map[string]*told{}}
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
			makes                       string // of the claim; reads make nothing
		}{
			{http.MethodPost, "v1beta1", "", `{"apiVersion":"resource.k8s.io/v1beta1","kind":"ResourceClaim","metadata":{"name":"` + name + `"},` +
				`"spec":{"devices":{"requests":[{"name":"gpu","deviceClassName":"gpu.example.com"}]}}}`, http.StatusCreated, created},
			{http.MethodGet, "v1beta2", name, "", http.StatusOK, ""},
			{http.MethodPatch, "v1beta1", name, `{"metadata":{"labels":{"round":"one"}}}`, http.StatusOK, one},
			{http.MethodGet, "v1beta1", name, "", http.StatusOK, ""},
			{http.MethodPut, "v1beta1", name, "", http.StatusOK, two}, // of what was just read
			{http.MethodGet, "v1beta1", "?limit=10", "", http.StatusOK, ""},
			{http.MethodDelete, "v1beta2", name, "", http.StatusOK, absent},
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
			once := func() (string, *failure) {
				return m.once(next.method, strings.TrimSuffix(strings.Replace(path, "/?", "?", 1), "/"), body, next.status)
			}
			var answer string
			var failed *failure
			if next.makes != "" {
				answer, failed = m.send(name, next.makes, once)
			} else {
				answer, failed = once()
			}
			if failed != nil {
				break // with another claim; what follows would fail for this
			}
			claim = answer
		}
	}
}

// once, whatever comes of it.
func (m *calls) once(method, path, body string, want int) (answer string, failed *failure) {
	m.mutex.Lock()
	phase := m.phase
	m.made[phase]++
	m.mutex.Unlock()
	begun := time.Now()
	answer, err := m.do(method, path, body, want)
	if err == nil {
		return answer, nil
	}
	failed = &failure{begun, time.Since(begun), method + " " + path, err}
	m.mutex.Lock()
	defer m.mutex.Unlock()
	m.failed[phase] = append(m.failed[phase], failed)
	return "", failed
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

// report of all phases: what was called, and the first of what failed. It gives how many calls failed that may not.
func (m *calls) report(t *testing.T) (wrong int) {
	t.Helper()
	m.mutex.Lock()
	defer m.mutex.Unlock()
	made, failed, unsent := 0, 0, 0
	for _, phase := range m.phases {
		all := m.failed[phase]
		made, failed = made+m.made[phase], failed+len(all)
		t.Logf("%-50s %6d calls, %d failed", phase, m.made[phase], len(all))
		shown := 0
		for _, f := range all {
			refused := strings.HasPrefix(phase, outage) && strings.HasPrefix(f.err.Error(), "503 ")
			switch {
			case refused:
			case f.unsent() && strings.HasPrefix(phase, going) && !strings.HasPrefix(f.what, http.MethodGet+" "):
				unsent++
			default:
				wrong++
			}
			if shown < 5 && !refused || shown < 1 {
				shown++
				t.Log("    ", f)
			}
		}
		if len(all) > 0 {
			t.Logf("     from the first failure to the last %s", all[len(all)-1].begun.Sub(all[0].begun).Round(100*time.Millisecond))
		}
	}
	t.Logf("%-50s %6d calls, %d failed, %d of which kube-apiserver has sent to nobody", "all", made, failed, unsent)
	if unsent > unsentAtMost {
		t.Errorf("%d calls were sent to nobody, want at most %d", unsent, unsentAtMost)
	}
	return wrong
}
