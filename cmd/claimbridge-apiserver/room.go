package main

import (
	"context"
	"net/http"

	"golang.org/x/sync/semaphore"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apiserver/pkg/endpoints/handlers/responsewriters"
	"k8s.io/apiserver/pkg/endpoints/request"

	"github.com/claimbridge/claimbridge/api"
	"github.com/claimbridge/claimbridge/cmd/claimbridge-apiserver/internal/metrics"
	"github.com/claimbridge/claimbridge/cmd/claimbridge-apiserver/internal/transcode"
)

// Bounds of what a request needs while it is answered, in bytes.
const (
	// idle is what the program has when nobody calls, rounded up: 28 MiB of its own, and its pages.
	idle = 64 << 20
	// perRequest is for an object of ordinary size, or for the items of a list one after the other. Bigger objects ask for more.
	perRequest = transcode.Covered
	// perBody: a body as it came, as its version has it, as v1 has it, and what is decoded from it.
	perBody = 10
	// maxBody is what an API server takes, and so the most that one of unknown length may have.
	maxBody = 3 << 20
	// perWatch: what was sent ahead of one that is read slowly, 64 KiB (receiveWindow of package store); an event of ordinary size as it came and as
	// it goes out; and the stacks and buffers of two connections, some 50 KiB.
	perWatch = 128 << 10
	// perBig: a program of any limit reads one object of the biggest.
	perBig = 48 << 20
)

// room is the memory for requests that are being answered, in three parts, so that none of them is kept from its own by the others. Who finds
// none is told to come again, which clients of Kubernetes do after a second; only what is big waits for its turn.
type room struct {
	requests *semaphore.Weighted
	// lists may have three quarters of that, since one who reads slowly holds its part for a minute, which gets and writes must survive.
	lists   *semaphore.Weighted
	watches *semaphore.Weighted
	// big has place for two, or for one that needs all.
	big  *semaphore.Weighted
	size int64 // of requests
}

// newRoom of a memory limit; without one there is room for all. Of what a limit leaves, 320 MiB in the manifests (512 MiB), two fifths are for
// requests (64 at once, 48 of them lists) and two for watches (1024); the rest is for objects that are bigger than what each of these has.
func newRoom(limit int64) *room {
	if limit == 0 {
		return nil
	}
	left := limit - limit/4 - idle
	size := max(left/5*2, perRequest+perBody*maxBody) // of any limit, one request of any kind
	return &room{
		requests: semaphore.NewWeighted(size), lists: semaphore.NewWeighted(max(size/4*3, perRequest)), size: size,
		watches: semaphore.NewWeighted(max(left/5*2, perWatch)),
		big:     semaphore.NewWeighted(2 * max(1, left/5/perBig)),
	}
}

// Take half of what is for big objects, or all, as [transcode.Memory] has it.
func (r *room) Take(ctx context.Context, all bool) (free func(), ok bool) {
	n := int64(1)
	if all {
		n = 2
	}
	if err := r.big.Acquire(ctx, n); err != nil {
		metrics.Shed()
		return nil, false
	}
	return func() { r.big.Release(n) }, true
}

// Watch has a part for one watch, or none.
func (r *room) Watch() (free func(), ok bool) {
	if !r.watches.TryAcquire(perWatch) {
		metrics.Shed()
		return nil, false
	}
	return func() { r.watches.Release(perWatch) }, true
}

// inside gives requests for objects their room.
func (r *room) inside(next http.Handler, codecs runtime.NegotiatedSerializer) http.Handler {
	if r == nil {
		return next
	}
	return http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		info, ok := request.RequestInfoFrom(req.Context())
		if !ok || !info.IsResourceRequest || info.APIGroup != api.Group || info.Verb == "watch" { // which ends later than its handler
			next.ServeHTTP(w, req)
			return
		}
		free, ok := r.take(info.Verb, req.ContentLength)
		if !ok {
			metrics.Shed()
			err := apierrors.NewTooManyRequests("claimbridge-apiserver has no memory to answer more requests at once; try again", 1)
			responsewriters.ErrorNegotiated(err, codecs, schema.GroupVersion{Group: info.APIGroup, Version: info.APIVersion}, w, req)
			return
		}
		defer free()
		next.ServeHTTP(w, req)
	})
}

// take room for a request with a body of a length, -1 for one that is not known. Reads have none that anybody looks at.
func (r *room) take(verb string, body int64) (free func(), ok bool) {
	switch {
	case verb == "get", verb == "list":
		body = 0
	case body < 0, body > maxBody: // that of a longer one is refused when as much has been read
		body = maxBody
	}
	need := min(perRequest+perBody*body, r.size)
	if !r.requests.TryAcquire(need) {
		return nil, false
	}
	if verb != "list" {
		return func() { r.requests.Release(need) }, true
	}
	if !r.lists.TryAcquire(perRequest) {
		r.requests.Release(need)
		return nil, false
	}
	return func() { r.lists.Release(perRequest); r.requests.Release(need) }, true
}
