//go:build linux

package bench

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/http"
	"time"
)

// apiClient sends requests to an API server, directly or through a bridge.
type apiClient struct {
	client *http.Client
	// host is the scheme, host and port that the client connects to.
	host string
}

// send sends a request, and copies the body of the response to a writer.
func (c apiClient) send(method, path string, body []byte, to io.Writer) error {
	request, err := http.NewRequest(method, c.host+path, bytes.NewReader(body))
	if err != nil {
		return err
	}
	request.Header.Set("Content-Type", "application/json")
	if method == http.MethodPatch {
		request.Header.Set("Content-Type", "application/merge-patch+json")
	}
	request.Header.Set("Accept", "application/json")
	response, err := c.client.Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	if response.StatusCode >= 300 {
		text, err := io.ReadAll(io.LimitReader(response.Body, 300))
		return errors.Join(fmt.Errorf("%s %s: %s %s", method, request.URL, response.Status, text), err)
	}
	_, err = io.Copy(to, response.Body)
	return err
}

// get returns the body of the response to a GET request.
func (c apiClient) get(path string) ([]byte, error) {
	var body bytes.Buffer
	err := c.send(http.MethodGet, path, nil, &body)
	return body.Bytes(), err
}

// claimsPath returns the path of the claims of resource.k8s.io.
func claimsPath(version string) string {
	return "/apis/resource.k8s.io/" + version + "/namespaces/default/resourceclaims"
}

// writtenAnnotation differs in each write, so that no write leaves a claim unchanged.
const writtenAnnotation = "example.com/written"

// annotationPatch returns a merge patch that sets writtenAnnotation.
func annotationPatch(value string) []byte {
	return fmt.Appendf(nil, `{"metadata":{"annotations":{%q:%q}}}`, writtenAnnotation, value)
}

// timestamp returns a value of writtenAnnotation.
func timestamp() string { return fmt.Sprint(time.Now().UnixNano()) }
