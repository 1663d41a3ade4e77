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
	var taken [][]byte
	http.HandleFunc("/", func(w http.ResponseWriter, _ *http.Request) { _, _ = fmt.Fprintln(w, "hello from", name) })
	http.HandleFunc("/ask", func(w http.ResponseWriter, r *http.Request) {
		// A Service distributes connections, so each request has a separate one.
		client := http.Client{Timeout: 10 * time.Second, Transport: &http.Transport{DisableKeepAlives: true}}
		answer, err := client.Get(r.URL.Query().Get("url")) //nolint:gosec // that is what it is for
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadGateway)
			return
		}
		defer func() { _ = answer.Body.Close() }()
		_, _ = io.Copy(w, answer.Body)
	})
	http.HandleFunc("/take", func(w http.ResponseWriter, r *http.Request) {
		for mebibytes, _ := strconv.Atoi(r.URL.Query().Get("mebibytes")); mebibytes > 0; mebibytes-- {
			piece := make([]byte, 1<<20)
			for i := range piece {
				piece[i] = 1
			}
			taken = append(taken, piece)
		}
		_, _ = fmt.Fprintln(w, len(taken))
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
