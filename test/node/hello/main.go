// Command hello is a server for the pods of tests: it responds with hello, sends requests, and allocates memory on
// request.
package main

import (
	"fmt"
	"io"
	"net/http"
	"os"
	"strconv"
	"time"
)

func main() {
	if len(os.Args) == 3 && os.Args[1] == "list" { // the files of a folder, as the image has no ls
		entries, err := os.ReadDir(os.Args[2])
		for _, e := range entries {
			fmt.Println(e.Name())
		}
		fail(err)
		return
	}
	name, err := os.Hostname()
	fail(err)
	var allocated [][]byte
	http.HandleFunc("/", func(w http.ResponseWriter, _ *http.Request) { _, _ = fmt.Fprintln(w, "hello from", name) })
	http.HandleFunc("/get", func(w http.ResponseWriter, r *http.Request) {
		// A Service distributes connections, so each request has a separate one.
		client := http.Client{Timeout: 10 * time.Second, Transport: &http.Transport{DisableKeepAlives: true}}
		response, err := client.Get(r.URL.Query().Get("url")) //nolint:gosec // the tests choose the URL
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadGateway)
			return
		}
		defer func() { _ = response.Body.Close() }()
		_, _ = io.Copy(w, response.Body)
	})
	http.HandleFunc("/allocate", func(w http.ResponseWriter, r *http.Request) {
		for mebibytes, _ := strconv.Atoi(r.URL.Query().Get("mebibytes")); mebibytes > 0; mebibytes-- {
			block := make([]byte, 1<<20)
			for i := range block {
				block[i] = 1
			}
			allocated = append(allocated, block)
		}
		_, _ = fmt.Fprintln(w, len(allocated))
	})
	fmt.Println("hello to the log of", name)
	server := http.Server{Addr: ":8080", ReadHeaderTimeout: 10 * time.Second}
	fail(server.ListenAndServe())
}

func fail(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, "hello:", err)
		os.Exit(1) //nolint:forbidigo // a separate program
	}
}
