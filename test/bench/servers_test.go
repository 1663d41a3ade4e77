//go:build linux

package bench

import (
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/claimbridge/claimbridge/test/controlplane/plane"
	"github.com/claimbridge/claimbridge/test/testkit/certs"
	"github.com/claimbridge/claimbridge/test/testkit/must"
	"github.com/claimbridge/claimbridge/test/testkit/process"
)

// The programs that make bench builds, all with the same flags. CLAIMBRIDGE_OTHER may name another
// claimbridge, to measure it in the same run.
const (
	null   = "null"
	ours   = "claimbridge"
	stock  = "stock"
	before = "other"
)

func program(b *testing.B, name string) string {
	b.Helper()
	file := filepath.Join("..", "..", "bin", "bench", name)
	if name == before {
		file = os.Getenv("CLAIMBRIDGE_OTHER")
	}
	if _, err := os.Stat(file); err != nil {
		b.Skip("make bench builds the programs and runs this: ", err)
	}
	return file
}

// servers that convert between the versions that the stock one knows.
func servers() []string {
	if os.Getenv("CLAIMBRIDGE_OTHER") != "" {
		return []string{null, ours, stock, before}
	}
	return []string{null, ours, stock}
}

// server is a webhook that listens.
type server struct {
	pid
	url     string
	ca      *x509.Certificate
	trusted *x509.CertPool
	process *process.Process
	started time.Duration // from exec to the first answer
}

// serve by a program until the end of the benchmark. The null one answers what is prepared.
func serve(b *testing.B, name string, prepared ...[]byte) *server {
	b.Helper()
	folder, port := b.TempDir(), plane.Port(b)
	authority := certs.New(b, "bench", certs.Day)
	leaf := authority.Leaf(b, certs.Leaf{Name: "localhost", Hosts: []string{"127.0.0.1"}})
	for file, content := range map[string][]byte{"tls.crt": leaf.Certificate, "tls.key": leaf.Key} {
		write(b, filepath.Join(folder, file), content)
	}
	address := fmt.Sprintf("127.0.0.1:%d", port)
	args := []string{
		"serve", "--bind-address=127.0.0.1", fmt.Sprintf("--secure-port=%d", port), "--cert-dir", folder,
		"--metrics-bind-address=127.0.0.1:0", "--health-probe-bind-address=0",
	}
	switch name {
	case null:
		for i, answer := range prepared {
			write(b, filepath.Join(folder, fmt.Sprintf("%d.json", i)), answer)
		}
		args = []string{"--address", address, "--folder", folder}
	case stock:
		args = []string{"--port", fmt.Sprint(port), "--cert-dir", folder}
	}
	s := &server{url: "https://" + address, ca: authority.X509, trusted: x509.NewCertPool()}
	s.trusted.AddCert(s.ca)
	begun := time.Now()
	s.process = process.Start(b, exec.Command(program(b, name), args...))
	s.pid = pid(s.process.Pid)
	s.await(b)
	s.started = time.Since(begun)
	return s
}

// await waits for the first response over TLS. The stock server has no readiness endpoint, so any response counts.
func (s *server) await(b *testing.B) {
	b.Helper()
	client := &http.Client{
		Timeout:   time.Second,
		Transport: &http.Transport{DisableKeepAlives: true, TLSClientConfig: &tls.Config{RootCAs: s.trusted}},
	}
	var last error
	for deadline := time.Now().Add(30 * time.Second); time.Now().Before(deadline); time.Sleep(time.Millisecond) {
		response, err := client.Get(s.url + "/readyz")
		if last = err; err == nil {
			_ = response.Body.Close()
			if response.StatusCode == http.StatusOK || response.StatusCode == http.StatusNotFound {
				return
			}
			last = fmt.Errorf("readyz: %s", response.Status)
		}
	}
	b.Fatalf("the server does not get ready: %v", last)
}

// client keeps connections of one version of HTTP.
func (s *server) client(b *testing.B, http2 bool, connections int) *http.Client {
	b.Helper()
	protocols := &http.Protocols{}
	protocols.SetHTTP1(!http2)
	protocols.SetHTTP2(http2)
	client := &http.Client{Transport: &http.Transport{
		TLSClientConfig:     &tls.Config{RootCAs: s.trusted},
		Protocols:           protocols,
		MaxIdleConnsPerHost: connections,
		DisableCompression:  true,
	}}
	b.Cleanup(client.CloseIdleConnections)
	return client
}

// convert a review, as an API server asks for one.
func (s *server) convert(ctx context.Context, client *http.Client, body []byte, answer io.Writer) error {
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, s.url+"/convert", bytes.NewReader(body))
	if err != nil {
		return err
	}
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("User-Agent", "kube-apiserver-admission")
	response, err := client.Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return fmt.Errorf("%s: %s", request.URL, response.Status)
	}
	_, err = io.Copy(answer, response.Body)
	return err
}

// answers to reviews, after a look at whether they are conversions.
func (s *server) answers(b *testing.B, bodies [][]byte) (all [][]byte) {
	b.Helper()
	client := s.client(b, false, 1)
	for _, body := range bodies {
		var answer bytes.Buffer
		must.Do(b, s.convert(b.Context(), client, body, &answer))
		var is struct {
			Response struct {
				ConvertedObjects []json.RawMessage
				Result           struct{ Status, Message string }
			}
		}
		err := json.Unmarshal(answer.Bytes(), &is)
		if err != nil || is.Response.Result.Status != "Success" || len(is.Response.ConvertedObjects) == 0 {
			b.Fatalf("no conversion: %v, %.300s", err, answer.Bytes())
		}
		all = append(all, answer.Bytes())
	}
	return all
}

func write(b *testing.B, file string, content []byte) {
	b.Helper()
	must.Do(b, os.WriteFile(file, content, 0o600))
}
