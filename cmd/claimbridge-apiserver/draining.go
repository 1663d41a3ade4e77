package main

import "net/http"

// draining sends API servers elsewhere once this server was asked to stop: the connection that brought a request ends when what is on it is answered
// (Connection: close, or GOAWAY of HTTP/2), and the next request makes one, to a replica that is ready. API servers keep a connection for as long as
// they are let, also to a pod that no Service names any more: without this the last request on it meets a server that has stopped, which is a
// 503 for somebody. There is time for it while /readyz fails and requests are still taken, --shutdown-delay-duration.
func draining(stopping <-chan struct{}, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		select {
		case <-stopping:
			w.Header().Set("Connection", "close")
		default:
		}
		next.ServeHTTP(w, r)
	})
}
