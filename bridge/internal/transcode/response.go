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

	"github.com/claimbridge/claimbridge/bridge/jsonconvert"
)

// translateResponse translates a response of the cluster. Lists and tables are converted while they are read.
func (p versionPair) translateResponse(resp *http.Response, isList bool) (*http.Response, error) {
	isError := resp.StatusCode >= http.StatusMultipleChoices
	switch {
	case !isJSON(resp): // for example, an error page of a load balancer
		return resp, nil
	case isList && !isError:
		return WithBody(resp, p.convertList(resp.Body), -1), nil
	}
	body, err := readAll(resp)
	if err != nil {
		return nil, err
	}
	if isError {
		return p.translateError(resp, body), nil
	}
	converted, err := p.convertObject(body)
	if err != nil {
		return nil, fmt.Errorf("convert the response of the cluster to %s: %w", p.requested, err)
	}
	return WithBytes(resp, converted), nil
}

// translateError translates the fields of the causes of an error to their paths in the requested version. The messages
// are unchanged, so it adds a warning that names the version of their fields.
func (p versionPair) translateError(resp *http.Response, body []byte) *http.Response {
	var status metav1.Status
	if json.Unmarshal(body, &status) != nil {
		return WithBytes(resp, body)
	}
	if status.Details != nil {
		before := slices.Clone(status.Details.Causes)
		for i, cause := range status.Details.Causes {
			status.Details.Causes[i].Field = jsonconvert.ConvertPath(cause.Field, p.kind, p.served, p.requested)
		}
		if !slices.Equal(before, status.Details.Causes) {
			body, _ = json.Marshal(status) // a Status consists of strings and numbers
		}
	}
	translated := WithBytes(resp, body)
	if code := resp.StatusCode; code == http.StatusBadRequest || code == http.StatusUnprocessableEntity {
		addWarning(translated.Header, fmt.Sprintf("the bridge sent this request as %s, whose fields the error may name",
			p.servedAPIVersion()))
	}
	return translated
}

func addWarning(header http.Header, text string) {
	if value, err := utilnet.NewWarningHeader(299, "-", text); err == nil {
		header.Add("Warning", value)
	}
}

// WithBody returns a response with another body. The length is -1 if it is not known.
func WithBody(resp *http.Response, body io.ReadCloser, length int64) *http.Response {
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

// WithBytes returns a response with another body, which is in memory.
func WithBytes(resp *http.Response, body []byte) *http.Response {
	return WithBody(resp, io.NopCloser(bytes.NewReader(body)), int64(len(body)))
}

// NewStatus returns an error of the bridge.
func NewStatus(code int32, reason metav1.StatusReason, message string) metav1.Status {
	return metav1.Status{
		TypeMeta: metav1.TypeMeta{Kind: "Status", APIVersion: "v1"},
		Status:   metav1.StatusFailure,
		Code:     code,
		Reason:   reason,
		Message:  message,
	}
}

// StatusResponse returns the response for a request that the bridge rejects.
func StatusResponse(r *http.Request, status metav1.Status) *http.Response {
	status.TypeMeta = metav1.TypeMeta{Kind: "Status", APIVersion: "v1"}
	return JSONResponse(r, int(status.Code), status)
}

// RetryResponse returns the response for a request that the client should repeat after a second.
func RetryResponse(r *http.Request, code int32, reason metav1.StatusReason, message string) *http.Response {
	status := NewStatus(code, reason, message)
	status.Details = &metav1.StatusDetails{RetryAfterSeconds: 1}
	resp := StatusResponse(r, status)
	resp.Header.Set("Retry-After", "1")
	return resp
}

// JSONResponse returns a response of the bridge with a document in its body.
func JSONResponse(r *http.Request, code int, document any) *http.Response {
	body, _ := json.Marshal(document) // documents consist of strings and numbers
	return WithBytes(&http.Response{
		StatusCode: code,
		Status:     fmt.Sprintf("%d %s", code, http.StatusText(code)),
		Proto:      "HTTP/1.1",
		ProtoMajor: 1,
		ProtoMinor: 1,
		Header:     http.Header{"Content-Type": {runtime.ContentTypeJSON}, "Cache-Control": {"no-cache, private"}},
		Request:    r,
	}, append(body, '\n'))
}
