package main

import (
	"net/http"
	"time"
)

// draining sends API servers elsewhere before this server stops: the connection that brought a request ends when what is on it is answered
// (Connection: close, or GOAWAY of HTTP/2), and the next request makes one, to a replica that is ready. API servers keep a connection for as long as
// they are let, also to a pod that no Service names any more: without this the last request on it meets a server that has stopped, which is a
// 503 for somebody.
func draining(ending <-chan struct{}, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		select {
		case <-ending:
			w.Header().Set("Connection", "close")
		default:
		}
		next.ServeHTTP(w, r)
	})
}

// halfway through the time in which /readyz fails and requests are still taken connections begin to end: no Service names this server any more, so that
// each ends once. Before, the next one would come here again, and the end of each costs a write now and then: one that is on its way to a
// server that says GOAWAY is not begun here, and kube-apiserver keeps no bodies that it could send again (kubernetes/kubernetes#135285).
func halfway(stopping <-chan struct{}, delay time.Duration) <-chan struct{} {
	ending := make(chan struct{})
	go func() {
		<-stopping
		time.Sleep(delay / 2)
		close(ending)
	}()
	return ending
}
