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
	folder := flag.String("folder", "", "folder with tls.crt, tls.key and the responses to return in turn, *.json")
	flag.Parse()
	if err := serve(*address, *folder); err != nil {
		fmt.Fprintln(os.Stderr, "null:", err)
		os.Exit(1) //nolint:forbidigo // a separate program
	}
}

func serve(address, folder string) error {
	responses, err := readResponses(folder)
	if err != nil {
		return err
	}
	var count atomic.Uint64
	mux := http.NewServeMux()
	mux.HandleFunc("POST /convert", func(w http.ResponseWriter, r *http.Request) {
		if _, err := io.Copy(io.Discard, r.Body); err != nil {
			return // the client closed the connection
		}
		response := responses[count.Add(1)%uint64(len(responses))]
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("Content-Length", strconv.Itoa(len(response))) // prevents a chunked response
		_, _ = w.Write(response)                                      // fails if the client closed the connection
	})
	mux.HandleFunc("GET /readyz", func(http.ResponseWriter, *http.Request) {})
	server := &http.Server{Addr: address, Handler: mux}
	return server.ListenAndServeTLS(filepath.Join(folder, "tls.crt"), filepath.Join(folder, "tls.key"))
}

// readResponses reads the JSON files of a folder.
func readResponses(folder string) (responses [][]byte, err error) {
	files, err := filepath.Glob(filepath.Join(folder, "*.json"))
	if err != nil {
		return nil, err
	}
	if len(files) == 0 {
		return nil, fmt.Errorf("no responses in %q", folder)
	}
	for _, file := range files {
		response, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		responses = append(responses, response)
	}
	return responses, nil
}
