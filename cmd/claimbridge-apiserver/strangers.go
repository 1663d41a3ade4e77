package main

import (
	"context"
	"net/http"
	"sync"

	"k8s.io/apiserver/pkg/endpoints/request"

	"github.com/claimbridge/claimbridge/api"
	"github.com/claimbridge/claimbridge/cmd/claimbridge-apiserver/internal/metrics"
)

const (
	// mostStrangers are requests of one address whose caller the cluster is being asked about, which takes milliseconds: with 600 at once, as many
	// as a kube-apiserver serves by default, and as many again. More are told to come again. Each takes a header, a goroutine or two and
	// the first window of a body; addresses are bounded by connections.
	mostStrangers = 1200
	// maxHeader of a request, names and values together. An API server hands on users with their groups, some of which have hundreds.
	maxHeader = 128 << 10
)

// strangers bound what requests take before anybody knows whose they are, which is all that somebody can have who reaches the port of this
// server and has no rights. The generic server bounds neither.
type strangers struct{ from *addresses }

func newStrangers() *strangers { return &strangers{newAddresses(mostStrangers)} }

// outside of everything, before a caller is authenticated.
func (s *strangers) outside(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		size := len(r.RequestURI)
		for name, values := range r.Header {
			for _, value := range values {
				size += len(name) + len(value)
			}
		}
		if size > maxHeader {
			http.Error(w, "the header of the request is too long", http.StatusRequestHeaderFieldsTooLarge)
			return
		}
		if connectionOf(r).isOld() {
			w.Header().Set("Connection", "close") // when this is answered, which HTTP/2 has another word for
		}
		leave, ok := s.from.enter(r.RemoteAddr)
		if !ok {
			metrics.Shed()
			w.Header().Set("Retry-After", "1")
			http.Error(w, "claimbridge-apiserver is asked more than it can find out who may; try again", http.StatusServiceUnavailable)
			return
		}
		known := sync.OnceFunc(leave)
		defer known()
		next.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), knownKey{}, known)))
	})
}

type knownKey struct{}

// inside of everything: the caller is known, and may. Requests for objects are bounded there by what they take.
func (s *strangers) inside(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if info, ok := request.RequestInfoFrom(r.Context()); ok && info.IsResourceRequest && info.APIGroup == api.Group {
			if known, ok := r.Context().Value(knownKey{}).(func()); ok {
				known()
			}
		}
		next.ServeHTTP(w, r)
	})
}

// addresses have so many of something each.
type addresses struct {
	each  int
	mutex sync.Mutex
	count map[string]int
}

func newAddresses(each int) *addresses { return &addresses{each: each, count: map[string]int{}} }

// enter with one more, until leave is called.
func (a *addresses) enter(address string) (leave func(), ok bool) {
	host := hostOf(address)
	a.mutex.Lock()
	defer a.mutex.Unlock()
	if a.count[host] >= a.each {
		return nil, false
	}
	a.count[host]++
	return func() {
		a.mutex.Lock()
		defer a.mutex.Unlock()
		if a.count[host]--; a.count[host] == 0 {
			delete(a.count, host)
		}
	}, true
}
