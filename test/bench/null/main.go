// Command null is the fastest possible webhook: net/http over TLS that reads a body, discards it, and returns prepared
// bytes.
package main

import (
	"flag"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"sync/atomic"
)

func main() {
	address := flag.String("address", "127.0.0.1:9443", "host:port to listen on")
	folder := flag.String("folder", "", "folder with tls.crt, tls.key and the answers to give in turn, *.json")
	flag.Parse()
	if err := serve(*address, *folder); err != nil {
		fmt.Fprintln(os.Stderr, "null:", err)
		os.Exit(1) //nolint:forbidigo // a separate program
	}
}

func serve(address, folder string) error {
	files, _ := filepath.Glob(filepath.Join(folder, "*.json")) // a pattern that is none finds none
	if len(files) == 0 {
		return fmt.Errorf("no answers in %q", folder)
	}
	var answers [][]byte
	for _, file := range files {
		answer, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		answers = append(answers, answer)
	}
	var next atomic.Uint64
	mux := http.NewServeMux()
	mux.HandleFunc("POST /convert", func(w http.ResponseWriter, r *http.Request) {
		if _, err := io.Copy(io.Discard, r.Body); err != nil {
			return // the caller has gone
		}
		answer := answers[next.Add(1)%uint64(len(answers))]
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("Content-Length", strconv.Itoa(len(answer))) // which saves chunks
		_, _ = w.Write(answer)                                      // fails when the caller has gone
	})
	mux.HandleFunc("GET /readyz", func(http.ResponseWriter, *http.Request) {})
	server := &http.Server{Addr: address, Handler: mux}
	return server.ListenAndServeTLS(filepath.Join(folder, "tls.crt"), filepath.Join(folder, "tls.key"))
}
