// Command null is the webhook that cannot be beaten: net/http over TLS that reads a body, throws it away and answers bytes
// that were prepared, or with --copy the bytes that came, with the version that is wanted.
package main

import (
	"bytes"
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
	certDir := flag.String("cert-dir", "", "folder with tls.crt and tls.key")
	answers := flag.String("answers", "", "folder with the answers to give in turn")
	copies := flag.Bool("copy", false, "answer what came, with the apiVersion that is wanted")
	flag.Parse()
	if err := serve(*address, *certDir, *answers, *copies); err != nil {
		fmt.Fprintln(os.Stderr, "null:", err)
		os.Exit(1) //nolint:forbidigo // a program of its own
	}
}

func serve(address, certDir, answers string, copies bool) error {
	convert := copier
	if !copies {
		prepared, err := read(answers)
		if err != nil {
			return err
		}
		convert = prepared.answer
	}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /convert", convert)
	mux.HandleFunc("GET /readyz", func(http.ResponseWriter, *http.Request) {})
	server := &http.Server{Addr: address, Handler: mux}
	return server.ListenAndServeTLS(filepath.Join(certDir, "tls.crt"), filepath.Join(certDir, "tls.key"))
}

type prepared struct {
	answers [][]byte
	next    atomic.Uint64
}

func read(folder string) (*prepared, error) {
	files, err := filepath.Glob(filepath.Join(folder, "*.json"))
	if err != nil || len(files) == 0 {
		return nil, fmt.Errorf("no answers in %q: %w", folder, err)
	}
	p := &prepared{}
	for _, file := range files {
		answer, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		p.answers = append(p.answers, answer)
	}
	return p, nil
}

func (p *prepared) answer(w http.ResponseWriter, r *http.Request) {
	if _, err := io.Copy(io.Discard, r.Body); err != nil {
		return // the caller has gone
	}
	send(w, p.answers[p.next.Add(1)%uint64(len(p.answers))])
}

// copier answers a review of one object as kube-apiserver writes it: keys sorted, so that apiVersion is the first.
func copier(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return // the caller has gone
	}
	uid, desired := member(body, `"uid":"`), member(body, `"desiredAPIVersion":"`)
	_, objects, _ := bytes.Cut(body, []byte(`"objects":[{"apiVersion":"`))
	_, object, found := bytes.Cut(objects, []byte(`"`))
	end := bytes.LastIndex(object, []byte("]"))
	if !found || end < 0 {
		http.Error(w, "not a review of one object", http.StatusBadRequest)
		return
	}
	send(w, fmt.Appendf(make([]byte, 0, len(body)+128), `{"kind":"ConversionReview","apiVersion":"apiextensions.k8s.io/v1","response":{"uid":"%s",`+
		`"result":{"status":"Success"},"convertedObjects":[{"apiVersion":"%s"%s]}}`, uid, desired, object[:end]))
}

// send an answer of a known length, which saves chunks.
func send(w http.ResponseWriter, answer []byte) {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Content-Length", strconv.Itoa(len(answer)))
	_, _ = w.Write(answer) // fails when the caller has gone
}

// member is the first string after a key; a request's own members come before those of its objects.
func member(body []byte, key string) []byte {
	_, rest, _ := bytes.Cut(body, []byte(key))
	value, _, _ := bytes.Cut(rest, []byte(`"`))
	return value
}
