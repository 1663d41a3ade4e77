package preflight

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	"k8s.io/client-go/rest"
)

// cluster reads from one API server, everything at most once in a run, so that all checks judge the same state.
type cluster struct {
	client *rest.RESTClient
	host   string
	read   map[string]answer // by URL
}

// answer to a GET.
type answer struct {
	body []byte
	err  error
}

// newCluster needs no types of its own: what it reads is decoded where it is looked at.
func newCluster(config *rest.Config) (*cluster, error) {
	config = rest.CopyConfig(config)
	if config.Timeout == 0 {
		config.Timeout = requestTimeout
	}
	config.WarningHandler = rest.NoWarnings{} // older versions are deprecated, which is no news
	config.QPS = -1                           // some 20 requests, one after the other
	scheme := runtime.NewScheme()
	metav1.AddToGroupVersion(scheme, schema.GroupVersion{Version: "v1"})
	config.NegotiatedSerializer = serializer.NewCodecFactory(scheme).WithoutConversion()
	client, err := rest.UnversionedRESTClientFor(config)
	if err != nil {
		return nil, fmt.Errorf("make a client for the API server: %w", err)
	}
	return &cluster{client, config.Host, map[string]answer{}}, nil
}

// What is asked for: whole objects, or no more than their metadata.
const (
	asJSON     = runtime.ContentTypeJSON
	asMetadata = "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1"
	asNames    = "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1"
)

// get an object or a list. The answer is kept.
func (c *cluster) get(ctx context.Context, as, path string, params map[string]string) ([]byte, error) {
	// Two more tries, a second apart, when an API server asks to come back later: it may be building its caches.
	request := c.client.Get().AbsPath(path).SetHeader("Accept", as).MaxRetries(2)
	for name, value := range params {
		request.Param(name, value)
	}
	url := request.URL().String()
	if known, ok := c.read[url]; ok {
		return known.body, known.err
	}
	result := request.Do(ctx)
	a := answer{err: result.Error()}
	if a.err == nil {
		a.body, a.err = result.Raw()
	}
	c.read[url] = a
	return a.body, a.err
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

// refused tells an API server that says no from one that does not answer.
func refused(err error) bool {
	s, ok := status(err)
	return ok && s.Code == http.StatusForbidden
}
