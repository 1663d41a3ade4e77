package transcode

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strconv"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	utilnet "k8s.io/apimachinery/pkg/util/net"

	"github.com/claimbridge/claimbridge/bridge/unstructured"
)

// response translates a response of the cluster. Lists and tables are converted while they are read.
func (x translation) response(resp *http.Response, isList bool) (*http.Response, error) {
	isError := resp.StatusCode >= http.StatusMultipleChoices
	switch {
	case !isJSON(resp): // of something between the client and the cluster
		return resp, nil
	case isList && !isError:
		return withBody(resp, x.convertList(resp.Body), -1), nil
	}
	body, err := readAll(resp)
	if err != nil {
		return nil, err
	}
	if isError {
		return x.errorResponse(resp, body), nil
	}
	converted, err := x.convertResponse(body)
	if err != nil {
		return nil, fmt.Errorf("convert the response of the cluster to %s: %w", x.requested, err)
	}
	return withBytes(resp, converted), nil
}

// errorResponse returns an error of the cluster. The fields of its causes get their paths in the requested version. Its
// messages are unchanged, so a warning says which version they are about.
func (x translation) errorResponse(resp *http.Response, body []byte) *http.Response {
	var status metav1.Status
	if json.Unmarshal(body, &status) != nil {
		return withBytes(resp, body)
	}
	if status.Details != nil {
		before := slices.Clone(status.Details.Causes)
		for i, cause := range status.Details.Causes {
			status.Details.Causes[i].Field = unstructured.ConvertPath(cause.Field, x.kind, x.served, x.requested)
		}
		if !slices.Equal(before, status.Details.Causes) {
			body, _ = json.Marshal(status) // strings and numbers
		}
	}
	translated := withBytes(resp, body)
	if code := resp.StatusCode; code == http.StatusBadRequest || code == http.StatusUnprocessableEntity {
		addWarning(translated.Header, fmt.Sprintf("the bridge sent this request as %s, whose fields the error may name",
			x.servedAPIVersion()))
	}
	return translated
}

func addWarning(header http.Header, text string) {
	if value, err := utilnet.NewWarningHeader(299, "-", text); err == nil {
		header.Add("Warning", value)
	}
}

// withBody returns a response with another body. The length is -1 if it is not known.
func withBody(resp *http.Response, body io.ReadCloser, length int64) *http.Response {
	translated := *resp
	translated.Header = resp.Header.Clone()
	for _, name := range []string{"Content-Encoding", "Content-Length", "Etag", "Last-Modified"} {
		translated.Header.Del(name)
	}
	if length >= 0 {
		translated.Header.Set("Content-Length", strconv.FormatInt(length, 10))
	}
	translated.Body = body
	translated.ContentLength = length
	translated.TransferEncoding = nil
	translated.Uncompressed = false
	return &translated
}

func withBytes(resp *http.Response, body []byte) *http.Response {
	return withBody(resp, io.NopCloser(bytes.NewReader(body)), int64(len(body)))
}

// statusResponse returns the response for a request that the bridge rejects.
func statusResponse(r *http.Request, status metav1.Status) *http.Response {
	status.TypeMeta = metav1.TypeMeta{Kind: "Status", APIVersion: "v1"}
	body, _ := json.Marshal(status) // strings and numbers
	return withBytes(&http.Response{
		StatusCode: int(status.Code),
		Status:     fmt.Sprintf("%d %s", status.Code, http.StatusText(int(status.Code))),
		Proto:      "HTTP/1.1",
		ProtoMajor: 1,
		ProtoMinor: 1,
		Header:     http.Header{"Content-Type": {runtime.ContentTypeJSON}, "Cache-Control": {"no-cache, private"}},
		Request:    r,
	}, append(body, '\n'))
}
