// Command tour shows claimbridge at its main job, on a machine that has nothing but Go: it starts the server, sends it
// claims over HTTPS as a kube-apiserver would, and prints what comes back.
//
//	go run ./test/tour
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"time"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/rest"
	"k8s.io/klog/v2"
	"sigs.k8s.io/yaml"

	"github.com/claimbridge/claimbridge/certs"
	"github.com/claimbridge/claimbridge/test/reviews"
	"github.com/claimbridge/claimbridge/webhook"
)

const example = "docs/examples/claim-v1alpha1.yaml"

func main() {
	if err := tour(os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "tour:", err)
		os.Exit(1) //nolint:forbidigo // a separate program
	}
}

func tour(out io.Writer) error {
	folder, err := os.MkdirTemp("", "claimbridge-tour-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	ca := filepath.Join(folder, "ca.crt")
	certificate, err := certs.InMemory{CAFile: ca}.Open(klog.Background())
	if err != nil {
		return err
	}
	server, err := webhook.New(webhook.Options{
		BindAddress:        "127.0.0.1",
		SecurePort:         -1,
		MetricsBindAddress: "0",
		Certificates:       certificate,
	})
	if err != nil {
		return err
	}
	ctx, stop := context.WithTimeout(context.Background(), time.Minute)
	defer stop()
	ended := make(chan error, 1)
	go func() { ended <- server.Run(ctx) }()

	select {
	case <-server.Started():
	case err := <-ended:
		return fmt.Errorf("the server did not start: %w", errors.Join(err, ctx.Err()))
	}
	client, err := rest.HTTPClientFor(&rest.Config{TLSClientConfig: rest.TLSClientConfig{CAFile: ca}})
	if err != nil {
		return err
	}
	url := "https://" + server.Addr().String() + "/convert"
	fmt.Fprintf(out, "claimbridge serves %s, with a certificate of its own making.\n", url)

	claim, err := os.ReadFile(example)
	if err != nil {
		return fmt.Errorf("%w: run the tour in the root of the repository", err)
	}
	object, err := yaml.YAMLToJSONStrict(claim)
	if err != nil {
		return err
	}
	show(out, "A claim of Kubernetes 1.26 ("+example+")", object)
	newest, err := convert(client, url, object, "resource.k8s.io/v1")
	if err != nil {
		return err
	}
	show(out, "The same claim for Kubernetes 1.34 and later", newest)
	back, err := convert(client, url, newest, "resource.k8s.io/v1alpha1")
	if err != nil {
		return err
	}
	show(out, "And back: nothing is lost. (claimbridgeLeftover says that nothing was left over.)", back)
	stop()
	return <-ended
}

// convert does what a kube-apiserver does for a client that asks for another version.
func convert(client *http.Client, url string, object []byte, version string) ([]byte, error) {
	response, err := client.Post(url, "application/json",
		strings.NewReader(reviews.Conversion(version, string(object))))
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	var answer apiextensionsv1.ConversionReview
	if err := json.NewDecoder(response.Body).Decode(&answer); err != nil {
		return nil, fmt.Errorf("%s: %w", response.Status, err)
	}
	if answer.Response == nil || answer.Response.Result.Status != metav1.StatusSuccess ||
		len(answer.Response.ConvertedObjects) != 1 {
		return nil, fmt.Errorf("the server answered %+v", answer.Response)
	}
	return answer.Response.ConvertedObjects[0].Raw, nil
}

func show(out io.Writer, title string, object []byte) {
	text, err := yaml.JSONToYAML(object)
	if err != nil {
		text = object
	}
	fmt.Fprintf(out, "\n%s\n%s\n\n%s", title, strings.Repeat("-", len(title)), text)
}
