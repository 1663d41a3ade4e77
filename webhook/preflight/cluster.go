package preflight

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	"k8s.io/client-go/rest"
)

// cluster asks one API server. It reads everything at most once in a run, so that all checks judge the same state.
type cluster struct {
	client  *rest.RESTClient
	patient *rest.RESTClient // for requests that wait for webhooks
	host    string
	read    map[string]answer // by URL
	decoded map[string]any    // what was read of single objects, by path and type: many checks look at one definition, which is big
}

// longTimeout for a request that waits for webhooks: an API server gives itself 60 s for it, and then says what it waited for.
const longTimeout = 65 * time.Second

// answer to a GET.
type answer struct {
	body []byte
	err  error
}

// newCluster needs no types of its own: what it reads is decoded where it is looked at.
func newCluster(config *rest.Config) (*cluster, error) {
	config = rest.CopyConfig(config)
	asked := config.Timeout
	config.WarningHandler = rest.NoWarnings{} // older versions are deprecated, which is no news
	config.QPS = -1                           // some 50 requests, one after the other
	scheme := runtime.NewScheme()
	metav1.AddToGroupVersion(scheme, schema.GroupVersion{Version: "v1"})
	config.NegotiatedSerializer = serializer.NewCodecFactory(scheme).WithoutConversion()
	config.Timeout = cmp.Or(asked, requestTimeout)
	client, err := rest.UnversionedRESTClientFor(config)
	if err != nil {
		return nil, fmt.Errorf("make a client for the API server: %w", err)
	}
	config.Timeout = cmp.Or(asked, longTimeout)
	patient, err := rest.UnversionedRESTClientFor(config)
	if err != nil {
		return nil, fmt.Errorf("make a client for the API server: %w", err)
	}
	return &cluster{client, patient, config.Host, map[string]answer{}, map[string]any{}}, nil
}

// What is asked for: whole objects, or no more than their metadata.
const (
	asJSON     = runtime.ContentTypeJSON
	asMetadata = "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1"
	asNames    = "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1"
)

// get an object or a list. The answer is kept.
func (c *cluster) get(ctx context.Context, path string, params map[string]string) ([]byte, error) {
	// Two more tries, a second apart, when an API server asks to come back later: it may be building its caches.
	request := c.client.Get().AbsPath(path).SetHeader("Accept", asJSON).MaxRetries(2)
	for name, value := range params {
		request.Param(name, value)
	}
	url := request.URL().String()
	if known, ok := c.read[url]; ok {
		return known.body, known.err
	}
	var a answer
	a.body, a.err = read(request.Do(ctx))
	c.read[url] = a
	return a.body, a.err
}

// read a result. Its error has the API server's own words, which Raw has not.
func read(result rest.Result) ([]byte, error) {
	if err := result.Error(); err != nil {
		return nil, err
	}
	return result.Raw()
}

// look at what may have to be converted. Nothing is kept of it: there may be a lot, and each page is looked at once.
func (c *cluster) look(ctx context.Context, as, path string, params map[string]string) ([]byte, error) {
	request := c.patient.Get().AbsPath(path).SetHeader("Accept", as).MaxRetries(2)
	for name, value := range params {
		request.Param(name, value)
	}
	return read(request.Do(ctx))
}

// settling is how often a write is tried once more, a second apart, when nobody listened where the API server called: in the first seconds after
// pods became ready their nodes' networks may not know all of them.
const settling = 3

// try a write: the API server does all that it would do, and keeps nothing.
func (c *cluster) try(ctx context.Context, path string, object any) ([]byte, error) {
	body, err := json.Marshal(object)
	if err != nil {
		return nil, err
	}
	for tries := 0; ; tries++ {
		answer, err := read(c.patient.Post().AbsPath(path).SetHeader("Content-Type", asJSON).SetHeader("Accept", asJSON).
			Param("dryRun", "All").Param("fieldValidation", "Strict").Param("fieldManager", "claimbridge-preflight").MaxRetries(2).Body(body).Do(ctx))
		if tries == settling || !apierrors.IsInternalError(err) || !strings.Contains(err.Error(), "connection refused") {
			return answer, err
		}
		select {
		case <-ctx.Done():
			return answer, err
		case <-time.After(time.Second):
		}
	}
}

// post a review, of which nothing is kept, and give what it was answered with.
func post[T any](v *view, path string, review T) (*T, error) {
	body, err := json.Marshal(review)
	if err != nil {
		return nil, err
	}
	answer, err := read(v.cluster.client.Post().AbsPath(path).SetHeader("Content-Type", asJSON).SetHeader("Accept", asJSON).Body(body).Do(v.ctx))
	if err != nil {
		return nil, err
	}
	return decode[T](answer)
}

// decode what was read.
func decode[T any](body []byte) (*T, error) {
	object := new(T)
	if err := json.Unmarshal(body, object); err != nil {
		return nil, fmt.Errorf("decode the answer of the API server: %w", err)
	}
	return object, nil
}

// status that an API server answered with, if it did.
func status(err error) (metav1.Status, bool) {
	answered, ok := errors.AsType[*apierrors.StatusError](err)
	if !ok {
		return metav1.Status{}, false
	}
	return answered.Status(), true
}

// message of an API server, without what client-go puts around it.
func message(err error) string {
	if s, ok := status(err); ok && s.Message != "" {
		return s.Message
	}
	return err.Error()
}

// refused distinguishes an API server that says no from one that does not answer.
func refused(err error) bool {
	s, ok := status(err)
	return ok && s.Code == http.StatusForbidden
}
