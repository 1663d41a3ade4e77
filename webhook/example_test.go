package webhook_test

import (
	"context"
	"crypto/tls"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"

	"github.com/go-logr/logr"
	"github.com/prometheus/client_golang/prometheus"
	ctrlwebhook "sigs.k8s.io/controller-runtime/pkg/webhook"
	"sigs.k8s.io/controller-runtime/pkg/webhook/admission"

	"github.com/claimbridge/claimbridge/certs"
	"github.com/claimbridge/claimbridge/webhook"
)

const review = `{"kind":"ConversionReview","apiVersion":"apiextensions.k8s.io/v1","request":{"uid":"1",
  "desiredAPIVersion":"resource.k8s.io/v1alpha3","objects":[
  {"apiVersion":"resource.k8s.io/v1alpha1","kind":"ResourceClaim","metadata":{"name":"gpu"},"spec":{"resourceClassName":"gpu.example.com"}}]}}`

// A program with its own webhook server, here controller-runtime's from mgr.GetWebhookServer(), mounts the handlers at
// any path.
func Example_controllerRuntime() {
	claims, err := webhook.New(webhook.Options{Groups: []string{"resource.k8s.io"}})
	if err != nil {
		fmt.Println(err)
		return
	}
	server := ctrlwebhook.NewServer(ctrlwebhook.Options{})
	server.Register("/convert", claims.Converter())
	server.Register("/validate", claims.Validator())
	server.Register("/default", claims.Defaulter())
	prometheus.NewRegistry().MustRegister(claims.Collector())

	// The manager would start the server; here its mux answers directly.
	answer := httptest.NewRecorder()
	server.WebhookMux().ServeHTTP(answer, httptest.NewRequest(http.MethodPost, "/convert", strings.NewReader(review)))
	fmt.Println(answer.Code, devices(answer.Body))
	// Output: 200 {"requests":[{"name":"claim","deviceClassName":"gpu.example.com","allocationMode":"ExactCount","count":1}]}
}

// The validator is an admission.Handler, so you can combine it with your own rules.
func ExampleServer_Admission() {
	claims, err := webhook.New(webhook.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	denyAll := admission.HandlerFunc(func(context.Context, admission.Request) admission.Response {
		return admission.Denied("no claims on Sundays")
	})
	both := &admission.Webhook{Handler: admission.MultiValidatingHandler(claims.Admission(), denyAll)}
	request := admission.Request{}
	request.Operation = "DELETE"
	response := both.Handle(context.Background(), request)
	fmt.Println(response.Allowed, response.Result.Message)
	// Output: false no claims on Sundays
}

// A server generates its certificate in memory, and stops when its context ends.
func ExampleServer_Run() {
	certificate, err := certs.InMemory{}.Open(logr.Discard())
	if err != nil {
		fmt.Println(err)
		return
	}
	server, err := webhook.New(webhook.Options{
		BindAddress: "127.0.0.1", SecurePort: -1, MetricsBindAddress: "0", Certificates: certificate,
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	ended := make(chan error)
	go func() { ended <- server.Run(ctx) }()
	<-server.Started()

	host, _, _ := net.SplitHostPort(server.Addr().String())
	fmt.Println("listens on", host)
	// A client that verifies the certificate would read the CA from InMemory.CAFile.
	client := &http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{InsecureSkipVerify: true}}}
	response, err := client.Post("https://"+server.Addr().String()+"/convert", "application/json",
		strings.NewReader(review))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(response.StatusCode, devices(response.Body))
	_ = response.Body.Close()
	stop()
	fmt.Println("ended with", <-ended)
	// Output:
	// listens on 127.0.0.1
	// 200 {"requests":[{"name":"claim","deviceClassName":"gpu.example.com","allocationMode":"ExactCount","count":1}]}
	// ended with <nil>
}

// devices of the first object of an answer.
func devices(body io.Reader) string {
	var answer struct {
		Response struct {
			ConvertedObjects []struct {
				Spec struct{ Devices json.RawMessage }
			}
		}
	}
	if err := json.NewDecoder(body).Decode(&answer); err != nil || len(answer.Response.ConvertedObjects) == 0 {
		return fmt.Sprintf("no answer: %v", err)
	}
	return string(answer.Response.ConvertedObjects[0].Spec.Devices)
}
