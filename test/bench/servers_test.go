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

// Names of programs. make bench builds them, all with the same flags, except otherClaimbridge: it is another build of
// claimbridge, the file in CLAIMBRIDGE_OTHER, which is measured in the same run.
const (
	nullWebhook      = "null"
	claimbridge      = "claimbridge"
	stockWebhook     = "stock"
	otherClaimbridge = "other"
)

// programFile returns the path of a program. It skips the benchmark if there is none.
func programFile(b *testing.B, name string) string {
	b.Helper()
	file := filepath.Join("..", "..", "bin", "bench", name)
	if name == otherClaimbridge {
		file = os.Getenv("CLAIMBRIDGE_OTHER")
	}
	if _, err := os.Stat(file); err != nil {
		b.Skip("make bench builds the programs and runs this benchmark: ", err)
	}
	return file
}

// webhookPrograms returns the names of the programs that convert between v1alpha2 and v1alpha3.
func webhookPrograms() []string {
	programs := []string{nullWebhook, claimbridge, stockWebhook}
	if os.Getenv("CLAIMBRIDGE_OTHER") != "" {
		programs = append(programs, otherClaimbridge)
	}
	return programs
}

// server is a running webhook.
type server struct {
	pid
	url     string
	ca      *x509.Certificate
	rootCAs *x509.CertPool
	process *process.Process
	// startDuration is the time from exec to the first response.
	startDuration time.Duration
}

// startServer starts a program, and waits until it responds. The program is stopped when the benchmark ends. Only the
// null webhook uses the responses, which it returns in turn.
func startServer(b *testing.B, program string, responses ...[]byte) *server {
	b.Helper()
	folder := b.TempDir()
	port := plane.Port(b)
	authority := certs.New(b, "bench", certs.Day)
	leaf := authority.Leaf(b, certs.Leaf{Name: "localhost", Hosts: []string{"127.0.0.1"}})
	write(b, filepath.Join(folder, "tls.crt"), leaf.Certificate)
	write(b, filepath.Join(folder, "tls.key"), leaf.Key)
	address := fmt.Sprintf("127.0.0.1:%d", port)
	var args []string
	switch program {
	case nullWebhook:
		for i, response := range responses {
			write(b, filepath.Join(folder, fmt.Sprintf("%d.json", i)), response)
		}
		args = []string{"--address", address, "--folder", folder}
	case stockWebhook:
		args = []string{"--port", fmt.Sprint(port), "--cert-dir", folder}
	default:
		args = []string{
			"serve", "--bind-address=127.0.0.1", fmt.Sprintf("--secure-port=%d", port), "--cert-dir", folder,
			"--metrics-bind-address=127.0.0.1:0", "--health-probe-bind-address=0",
		}
	}
	s := &server{url: "https://" + address, ca: authority.X509, rootCAs: x509.NewCertPool()}
	s.rootCAs.AddCert(s.ca)
	begin := time.Now()
	s.process = process.Start(b, exec.Command(programFile(b, program), args...))
	s.pid = pid(s.process.Pid)
	s.waitForResponse(b)
	s.startDuration = time.Since(begin)
	return s
}

// waitForResponse waits for the first response over TLS.
func (s *server) waitForResponse(b *testing.B) {
	b.Helper()
	client := &http.Client{
		Timeout:   time.Second,
		Transport: &http.Transport{DisableKeepAlives: true, TLSClientConfig: &tls.Config{RootCAs: s.rootCAs}},
	}
	var err error
	for deadline := time.Now().Add(30 * time.Second); time.Now().Before(deadline); time.Sleep(time.Millisecond) {
		if err = s.probe(client); err == nil {
			return
		}
	}
	b.Fatalf("the server is not ready after 30 seconds: %v", err)
}

// probe returns an error unless the server responds. The stock webhook has no readiness endpoint, so 404 is a response,
// too.
func (s *server) probe(client *http.Client) error {
	response, err := client.Get(s.url + "/readyz")
	if err != nil {
		return err
	}
	_ = response.Body.Close()
	if response.StatusCode != http.StatusOK && response.StatusCode != http.StatusNotFound {
		return fmt.Errorf("readyz: %s", response.Status)
	}
	return nil
}

// client returns a client for one version of HTTP that keeps connections open.
func (s *server) client(b *testing.B, http2 bool, connections int) *http.Client {
	b.Helper()
	protocols := &http.Protocols{}
	protocols.SetHTTP1(!http2)
	protocols.SetHTTP2(http2)
	client := &http.Client{Transport: &http.Transport{
		TLSClientConfig:     &tls.Config{RootCAs: s.rootCAs},
		Protocols:           protocols,
		MaxIdleConnsPerHost: connections,
		DisableCompression:  true,
	}}
	b.Cleanup(client.CloseIdleConnections)
	return client
}

// convert sends a ConversionReview like an API server, and copies the body of the response to a writer.
func (s *server) convert(ctx context.Context, client *http.Client, review []byte, to io.Writer) error {
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, s.url+"/convert", bytes.NewReader(review))
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
	_, err = io.Copy(to, response.Body)
	return err
}

// responsesTo returns the responses to ConversionReviews. It fails the benchmark unless all conversions succeed.
func (s *server) responsesTo(b *testing.B, reviews [][]byte) (responses [][]byte) {
	b.Helper()
	client := s.client(b, false, 1)
	for _, request := range reviews {
		var body bytes.Buffer
		must.Do(b, s.convert(b.Context(), client, request, &body))
		var review struct {
			Response struct {
				ConvertedObjects []json.RawMessage
				Result           struct{ Status, Message string }
			}
		}
		err := json.Unmarshal(body.Bytes(), &review)
		if err != nil || review.Response.Result.Status != "Success" || len(review.Response.ConvertedObjects) == 0 {
			b.Fatalf("want converted objects, got %v, %.300s", err, body.Bytes())
		}
		responses = append(responses, body.Bytes())
	}
	return responses
}

func write(b *testing.B, file string, content []byte) {
	b.Helper()
	must.Do(b, os.WriteFile(file, content, 0o600))
}
