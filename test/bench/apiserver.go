package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/go-logr/logr"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/controller-runtime/pkg/envtest"
	"sigs.k8s.io/controller-runtime/pkg/log"

	"github.com/claimbridge/claimbridge/test/controlplane"
)

// apiServerClient sends requests to a kube-apiserver of this run.
type apiServerClient struct {
	context.Context
	http *http.Client
	url  string
}

// startControlPlane starts etcd and kube-apiserver. Claims of the custom resources are only served while the API server
// does not serve the group itself.
func (b *bench) startControlPlane() (*apiServerClient, func(), error) {
	log.SetLogger(logr.Discard()) // envtest's
	assets, err := controlplane.Assets(b)
	if err != nil {
		return nil, nil, err
	}
	environment := &envtest.Environment{BinaryAssetsDirectory: assets, ControlPlaneStartTimeout: time.Minute, ControlPlaneStopTimeout: time.Minute}
	arguments := environment.ControlPlane.GetAPIServer().Configure()
	arguments.Set("runtime-config", "resource.k8s.io/v1=false")
	config, err := environment.Start()
	if err != nil {
		return nil, nil, errors.Join(err, environment.Stop())
	}
	stop := func() {
		if err := environment.Stop(); err != nil {
			b.say("cannot stop the control plane: %v", err)
		}
	}
	client, err := rest.HTTPClientFor(config)
	if err != nil {
		stop()
		return nil, nil, err
	}
	return &apiServerClient{Context: b, http: client, url: strings.TrimSuffix(config.Host, "/")}, stop, nil
}

// apiError is an answer that is no success.
type apiError struct {
	code int
	text string
	// retryAfter is the header of that name.
	retryAfter string
}

func (e *apiError) Error() string { return fmt.Sprintf("%d: %.500s", e.code, e.text) }

// request sends an object, or bytes as they are, and reads the answer into another or into bytes. Both may be nil.
func (c *apiServerClient) request(method, path, contentType, accept string, in, out any) error {
	body, isRaw := in.([]byte)
	if !isRaw && in != nil {
		var err error
		if body, err = json.Marshal(in); err != nil {
			return err
		}
	}
	request, err := http.NewRequestWithContext(c.Context, method, c.url+path, bytes.NewReader(body))
	if err != nil {
		return err
	}
	request.Header.Set("Content-Type", contentType)
	request.Header.Set("Accept", accept)
	response, err := c.http.Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	content, err := io.ReadAll(response.Body)
	if err != nil {
		return err
	}
	if response.StatusCode >= 300 {
		return fmt.Errorf("%s %s: %w", method, path, &apiError{response.StatusCode, string(content), response.Header.Get("Retry-After")})
	}
	switch into := out.(type) {
	case nil:
		return nil
	case *[]byte:
		*into = content
		return nil
	}
	return json.Unmarshal(content, out)
}

const (
	asJSON       = "application/json"
	asMergePatch = "application/merge-patch+json"
	// asMetadata and asTable make answers small; no conversion is saved by them.
	asMetadata = "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1"
	asTable    = "application/json;as=Table;g=meta.k8s.io;v=v1"
)

func (c *apiServerClient) get(path, accept string, out any) error {
	return c.request(http.MethodGet, path, asJSON, accept, nil, out)
}

var heapAlloc = regexp.MustCompile(`(?m)^# HeapAlloc = (\d+)$`)

// liveHeap is what the API server holds in memory: its heap after a collection. The second one takes what the first left to finalizers.
func (c *apiServerClient) liveHeap() (size int64, err error) {
	for range 2 {
		var profile []byte
		if err := c.get("/debug/pprof/heap?gc=1&debug=1", "*/*", &profile); err != nil {
			return 0, err
		}
		found := heapAlloc.FindSubmatch(profile)
		if found == nil {
			return 0, errors.New("the API server's heap profile has no HeapAlloc")
		}
		if size, err = strconv.ParseInt(string(found[1]), 10, 64); err != nil {
			return 0, err
		}
	}
	return size, nil
}
