//go:build node

package webhook

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/rest"

	"github.com/claimbridge/claimbridge/test/testkit/await"
	"github.com/claimbridge/claimbridge/test/testkit/must"
)

const (
	// accounts are many enough that writers rarely wait for each other, and few enough to be compared one by one.
	accounts = 60
	// callTimeout is longer than the API server's own 60 s, so that each call gets its answer.
	callTimeout = 70 * time.Second
)

// load of honest clients: calls at a steady rate, half of them reads and half of them writes, all through old versions.
type load struct {
	client   dynamic.Interface
	accounts []*account
	begun    time.Time
	stop     func()

	mutex    sync.Mutex
	calls    map[string]int // answered, by what they are
	latency  []time.Duration
	failures []failure
	statuses map[int]int           // of answers, those included that the client library has tried again
	open     map[int]time.Duration // calls that wait for an answer, and when they began
	idle     int                   // calls that were due while all accounts waited for an answer
	wrong    []string
}

// failure of a call.
type failure struct {
	begun, after time.Duration
	what         string
	err          error
}

// begin a load of so many calls a second.
func (c *cluster) begin(t *testing.T, rate int) *load {
	t.Helper()
	l := &load{calls: map[string]int{}, statuses: map[int]int{}, open: map[int]time.Duration{}}
	config := c.Config()
	config.QPS, config.Timeout, config.WarningHandler = -1, callTimeout, rest.NoWarnings{}
	config.Wrap(func(next http.RoundTripper) http.RoundTripper { return counted{next, l} })
	l.client = must.Get(dynamic.NewForConfig(config))(t)
	for i := range accounts {
		version := oldVersions[i%len(oldVersions)]
		l.accounts = append(l.accounts, c.open(t, fmt.Sprintf("%s-%d", version, i), version))
	}
	ctx, cancel := context.WithCancel(context.WithoutCancel(t.Context()))
	var callers sync.WaitGroup
	l.begun = time.Now()
	callers.Go(func() {
		every := time.NewTicker(time.Second / time.Duration(rate))
		defer every.Stop()
		for n := 0; ; n++ {
			select {
			case <-every.C:
				callers.Go(func() { l.called(n) })
			case <-ctx.Done():
				return
			}
		}
	})
	l.stop = sync.OnceFunc(func() {
		cancel()
		callers.Wait()
	})
	t.Cleanup(l.stop)
	return l
}

// counted answers of a server.
type counted struct {
	next http.RoundTripper
	load *load
}

func (c counted) RoundTrip(r *http.Request) (*http.Response, error) {
	response, err := c.next.RoundTrip(r)
	if err == nil {
		c.load.mutex.Lock()
		c.load.statuses[response.StatusCode]++
		c.load.mutex.Unlock()
	}
	return response, err
}

// called once, by number n.
func (l *load) called(n int) {
	l.mutex.Lock()
	l.open[n] = time.Since(l.begun)
	l.mutex.Unlock()
	l.call(n)
	l.mutex.Lock()
	delete(l.open, n)
	l.mutex.Unlock()
}

// call number n: a read or a write.
func (l *load) call(n int) {
	ctx := context.Background()
	if n%2 == 0 {
		a, version := l.accounts[n/2%accounts], oldVersions[n/2/accounts%len(oldVersions)]
		begun := time.Now()
		_, err := claims(l.client, version).Get(ctx, a.name, metav1.GetOptions{})
		l.count("get "+version, begun, err)
		return
	}
	for i := range accounts {
		a := l.accounts[(n/2+i)%accounts]
		if !a.mutex.TryLock() {
			continue
		}
		defer a.mutex.Unlock()
		begun := time.Now()
		if a.unsure {
			l.count("get v1, after a write without an answer", begun, a.ask(ctx, l.client))
			return
		}
		l.count("patch "+a.version, begun, a.write(ctx, l.client))
		return
	}
	l.mutex.Lock()
	l.idle++
	l.mutex.Unlock()
}

func (l *load) count(what string, begun time.Time, err error) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	var w wrong
	switch {
	case errors.As(err, &w):
		l.wrong = append(l.wrong, w.what)
	case err != nil:
		l.failures = append(l.failures, failure{begun.Sub(l.begun), time.Since(begun), what, err})
	default:
		l.calls[what]++
		l.latency = append(l.latency, time.Since(begun))
	}
}

// names that differ from call to call.
var names = regexp.MustCompile(`\b\d+\.\d+\.\d+\.\d+:\d+|v1(alpha|beta)\d(-\d+)?|[?&]timeout=[0-9a-z]+`)

// since a moment, how many calls have failed and why: each reason once.
func (l *load) failed(from time.Duration) (n int, why map[string]int) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	why = map[string]int{}
	for _, f := range l.failures {
		if f.begun >= from || f.begun+f.after >= from {
			n++
			what, _, _ := strings.Cut(f.what, " ")
			why[what+": "+names.ReplaceAllString(f.err.Error(), "_")]++
		}
	}
	return n, why
}

// now is the time since the load began, and how many calls were answered.
func (l *load) now() (time.Duration, int) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	return time.Since(l.begun), len(l.latency)
}

// waits tells whether a call that began before a moment has no answer yet.
func (l *load) waits(before time.Duration) bool {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	for _, begun := range l.open {
		if begun < before {
			return true
		}
	}
	return false
}

// goesOn until so many more calls are answered.
func (l *load) goesOn(t *testing.T, calls int) {
	t.Helper()
	_, answered := l.now()
	await.True(t, "calls are answered", func() bool { _, now := l.now(); return now >= answered+calls })
}

// settled is how many calls in a row show that nothing is amiss.
const settled = 400

// settles when all calls of before have ended, and many that came later were answered one after the other.
func (l *load) settles(t *testing.T) {
	t.Helper()
	now, _ := l.now()
	await.True(t, "calls of before have ended", func() bool { return !l.waits(now) })
	from, answered := l.now()
	await.True(t, fmt.Sprintf("%d calls in a row are answered", settled), func() bool {
		if n, _ := l.failed(from); n > 0 {
			from, answered = l.now()
		}
		_, now := l.now()
		return now >= answered+settled
	})
}

// end the load, and compare what is stored with what was acknowledged. It gives how many calls failed.
func (l *load) end(t *testing.T) int {
	t.Helper()
	took, _ := l.now()
	l.stop()
	_, answered := l.now()
	for _, a := range l.accounts {
		a.audit(t, l.client)
	}
	failed, why := l.failed(0)
	for _, what := range l.wrong {
		t.Error(what)
	}
	slices.Sort(l.latency)
	at := func(part float64) time.Duration {
		if len(l.latency) == 0 {
			return 0
		}
		return l.latency[int(part*float64(len(l.latency)-1))].Round(time.Millisecond)
	}
	t.Logf("%d calls in %s (%d a second), of which %d failed; p50 %s, p99 %s, longest %s; answers by status %v; %d "+
		"were not sent since all waited",
		answered+failed, took.Round(time.Second), int(float64(answered+
			failed)/took.Seconds()), failed, at(.5), at(.99), at(1), l.statuses, l.idle)
	t.Logf("answered: %s", listed(l.calls))
	if failed > 0 {
		t.Logf("failed:\n%s", listed(why))
	}
	t.Logf("%d claims are in all %d versions what was acknowledged", len(l.accounts), len(versions))
	err := claims(l.client, "v1").DeleteCollection(t.Context(), metav1.DeleteOptions{}, metav1.ListOptions{})
	if err != nil {
		// others may come
		t.Error(err)
	}
	return failed
}

// listed counts, a line each.
func listed(counts map[string]int) string {
	var b strings.Builder
	for _, what := range slices.Sorted(maps.Keys(counts)) {
		b.WriteString("\n  " + strconv.Itoa(counts[what]) + " " + what)
	}
	return b.String()
}
