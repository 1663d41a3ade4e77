// Package hidden sees a version that an API server serves itself, although an APIService sends it to our server: whoever is asked for the
// version is our server, and only the documents of OpenAPI tell.
package hidden

import (
	"context"
	"encoding/json"
	"fmt"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
)

// Title of our server's documents, by which they are told from the API server's own, which are called Kubernetes.
const Title = "claimbridge-apiserver"

// samples of the index, and of the document when there are two of them. An API server goes through the sources of documents in an order that
// is another one each time, and tells the last one of a name. Of two with equal chances one is missed by ten answers twice in a thousand
// times; of one that is named a third of the time, 17 times. The next look finds it.
const samples = 10

// Get the body of a path of the API server, anew each time. An error is one of package apierrors where the API server answered with one.
type Get func(ctx context.Context, path string) ([]byte, error)

// Behind says whether the API server itself serves what an APIService sends to our server, as resource.k8s.io/v1beta1.
func Behind(ctx context.Context, get Get, groupVersion string) (bool, error) {
	name := "apis/" + groupVersion
	documents := map[string]bool{}
	for range samples {
		var index struct {
			Paths map[string]struct {
				URL string `json:"serverRelativeURL"`
			} `json:"paths"`
		}
		if err := read(ctx, get, "/openapi/v3", &index); err != nil {
			return false, fmt.Errorf("index of OpenAPI documents: %w", err)
		}
		if path, has := index.Paths[name]; has {
			documents[path.URL] = true
		}
	}
	// One document is that of our server; or that of an API server that was started while ours was away. Two are of both, or of two releases
	// of ours while one replaces the other.
	times := samples
	if len(documents) < 2 {
		times = len(documents)
	}
	for range times {
		var document struct {
			Info struct {
				Title string `json:"title"`
			} `json:"info"`
		}
		err := read(ctx, get, "/openapi/v3/"+name, &document)
		if apierrors.IsServiceUnavailable(err) || apierrors.IsNotFound(err) {
			continue // it led to a server of ours that is away, or to an APIService that has just gone
		}
		if err != nil {
			return false, fmt.Errorf("OpenAPI document of %s: %w", name, err)
		}
		if document.Info.Title != Title {
			return true, nil
		}
	}
	return false, nil
}

func read(ctx context.Context, get Get, path string, into any) error {
	body, err := get(ctx, path)
	if err != nil {
		return err
	}
	return json.Unmarshal(body, into)
}
