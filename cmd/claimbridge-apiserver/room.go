package main

import (
	"context"
	"errors"
	"fmt"
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
	lists *semaphore.Weighted
	// watches are for as long as callers want, so one has a share of them alone.
	watches *shares
	// big has place for two, or for one that needs all.
	big  *semaphore.Weighted
	size int64 // of requests
	// bodies that are on their way.
	bodies *bodies
}

// newRoom of a memory limit; without one there is room for all. Of what a limit leaves, 320 MiB in the manifests (512 MiB), two fifths are for
// requests (64 at once, 48 of them lists) and two for watches (1024, 256 of one caller); the rest is for objects that are bigger than what each of these has. Bodies
// on their way have a sixteenth of the limit (512 at once), of the quarter that the collector leaves.
func newRoom(limit int64) *room {
	if limit == 0 {
		return nil
	}
	left := limit - limit/4 - idle
	size := max(left/5*2, perRequest+perBody*maxBody) // of any limit, one request of any kind
	return &room{
		requests: semaphore.NewWeighted(size), lists: semaphore.NewWeighted(max(size/4*3, perRequest)), size: size,
		watches: newShares(max(left/5*2, 4*(perWatch+perConnection))),
		big:     semaphore.NewWeighted(2 * max(1, left/5/perBig)),
		bodies:  newBodies(limit / 16),
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

// Watch has a part for one watch of a caller, or says for whom there is none. One by WebSocket has a connection of the API server for itself, and
// counts twice, so that no caller takes all of the connections that API servers have.
func (r *room) Watch(ctx context.Context, connection bool) (free func(), err error) {
	caller, need := callerOf(ctx), int64(perWatch)
	if connection {
		need += perConnection
	}
	if err := r.watches.take(caller, need); err != nil {
		metrics.Shed()
		if over, is := errors.AsType[overShareError](err); is {
			return nil, tooMany("claimbridge-apiserver has no memory for more watches of %s, who may have %d at a replica; end some, or try again",
				over.caller, r.watches.size/4/perWatch)
		}
		return nil, tooMany("claimbridge-apiserver has no memory for more watches; try again")
	}
	return func() { r.watches.give(caller, need) }, nil
}

// tooMany requests, of which clients send the next one after a second.
func tooMany(format string, args ...any) error {
	return apierrors.NewTooManyRequests(fmt.Sprintf(format, args...), 1)
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
		free, err := r.admit(info.Verb, req)
		if err != nil {
			metrics.Shed()
			responsewriters.ErrorNegotiated(err, codecs, schema.GroupVersion{Group: info.APIGroup, Version: info.APIVersion}, w, req)
			return
		}
		defer free()
		next.ServeHTTP(w, req)
	})
}

var (
	errNoRequests = tooMany("claimbridge-apiserver has no memory to answer more requests at once; try again")
	// With 64 lists of 20 MB at once each lasts some 15 to 40 s on two cores. Clients of client-go come again ten times, which has to last longer.
	errNoLists = apierrors.NewTooManyRequests("claimbridge-apiserver has no memory to answer more lists at once; try again", 5)
)

// admit a request, when its body has come.
func (r *room) admit(verb string, req *http.Request) (free func(), err error) {
	var length int64
	if verb != "get" && verb != "list" && req.Body != nil && req.ContentLength != 0 { // reads have no body that anybody looks at
		read, done, err := r.bodies.read(req)
		defer done()
		if over, is := errors.AsType[overShareError](err); is {
			return nil, tooMany("claimbridge-apiserver has no memory for more request bodies of %s at once, who may have %d MiB of them on their way to a replica; try again",
				over.caller, r.bodies.size/4>>20)
		}
		if err != nil {
			return nil, errNoRequests
		}
		length = read
	}
	free, ok := r.take(verb, length)
	switch {
	case ok:
		return free, nil
	case verb == "list":
		return nil, errNoLists
	}
	return nil, errNoRequests
}

// take room for a request with a body of a length.
func (r *room) take(verb string, body int64) (free func(), ok bool) {
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
