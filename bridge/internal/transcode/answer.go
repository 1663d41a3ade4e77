package transcode

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"mime"
	"net/http"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/runtime"
	utilnet "k8s.io/apimachinery/pkg/util/net"
	"sigs.k8s.io/yaml"

	"github.com/claimbridge/claimbridge/api"
	"github.com/claimbridge/claimbridge/internal/objectjson"
)

// answer with what the cluster answered.
func (c *call) answer(resp *http.Response) (*http.Response, error) {
	header := c.header(resp.Header)
	done := resp.StatusCode < http.StatusMultipleChoices
	if done && c.hasItems() {
		return c.answerItems(resp, header)
	}
	body, err := c.readAll(resp)
	if err != nil {
		return nil, err
	}
	if contentType := resp.Header.Get("Content-Type"); !isJSON(contentType) { // a refusal of something on the way
		header.Set("Content-Type", contentType)
		return c.respond(resp.StatusCode, header, body), nil
	}
	if !done {
		if c.isStranger(resp.StatusCode, body) {
			c.warnings = nil // for whom an API server does not look at what they ask
		}
		body = c.reword(body)
	} else if body, err = c.show(nil, body); err != nil {
		return nil, err
	}
	return c.respondJSON(resp.StatusCode, header, body)
}

// isStranger tells whether the caller may not send such a request at all. Admission, which comes
// later, has other words for what it refuses, and an apply that would create is asked once more.
func (c *call) isStranger(code int, status []byte) bool {
	return code == http.StatusUnauthorized ||
		code == http.StatusForbidden && bytes.Contains(status, []byte(`is forbidden: User \"`)) &&
			(c.r.Method != http.MethodPatch || !bytes.Contains(status, []byte(" cannot create ")))
}

// header of the cluster's answer, without what is about its body.
func (c *call) header(from http.Header) http.Header {
	header := maps.Clone(from)
	warnings, _ := utilnet.ParseWarningHeaders(header["Warning"])
	for _, w := range warnings {
		if !strings.HasPrefix(w.Text, c.stored()+" "+c.kind.Kind+" is deprecated") {
			c.warn(c.rewordText(w.Text))
		}
	}
	for _, name := range []string{
		"Warning", "Content-Type", "Content-Length", "Content-Encoding", "Etag", "Last-Modified",
	} {
		header.Del(name)
	}
	return header
}

// warn the client, once of each.
func (c *call) warn(text string) {
	if text != "" && !slices.Contains(c.warnings, text) {
		c.warnings = append(c.warnings, text)
	}
}

func isJSON(contentType string) bool {
	mediaType, _, err := mime.ParseMediaType(contentType)
	return err == nil && mediaType == runtime.ContentTypeJSON
}

// show appends what the version shows of an answer: of an object, of one in an event or in a row.
// What else there is, as metadata and statuses are, is the same in all versions.
func (c *call) show(out, object []byte) ([]byte, error) {
	apiVersion, kind := typeOf(object)
	switch {
	case apiVersion == c.stored() && kind == c.kind.Kind:
		converted, err := c.toRequested(object)
		if err != nil {
			return out, c.unshown(object, err)
		}
		return append(out, converted...), nil
	case kind == "Table" && !strings.HasPrefix(apiVersion, api.Group+"/"):
		return c.showTable(out, object)
	}
	return append(out, object...), nil
}

// typeOf an object: its apiVersion and kind, which an API server writes first.
func typeOf(object []byte) (apiVersion, kind string) {
	s := objectjson.NewScanner(object)
	for name, value := range s.Values() {
		switch name {
		case "apiVersion":
			apiVersion = objectjson.StringOf(value)
		case "kind":
			kind = objectjson.StringOf(value)
		}
		if apiVersion != "" && kind != "" {
			break
		}
	}
	return apiVersion, kind
}

// respondJSON in the layout that was asked for.
func (c *call) respondJSON(code int, header http.Header, body []byte) (*http.Response, error) {
	switch {
	case c.form.yaml:
		text, err := yaml.JSONToYAML(body)
		if err != nil {
			return nil, err
		}
		body = text
	case c.form.pretty:
		var text bytes.Buffer
		if err := json.Indent(&text, bytes.TrimSpace(body), "", "  "); err != nil {
			return nil, err
		}
		body = text.Bytes()
	case !bytes.HasSuffix(body, []byte("\n")):
		body = append(body, '\n')
	}
	header.Set("Content-Type", c.form.contentType())
	return c.respond(code, header, body), nil
}

func (c *call) respond(code int, header http.Header, body []byte) *http.Response {
	resp := c.stream(code, header, io.NopCloser(bytes.NewReader(body)))
	resp.ContentLength = int64(len(body))
	header.Set("Content-Length", fmt.Sprint(len(body)))
	return resp
}

// stream is an answer whose length is not known.
func (c *call) stream(code int, header http.Header, body io.ReadCloser) *http.Response {
	for _, text := range c.warnings {
		if value, err := utilnet.NewWarningHeader(299, "-", text); err == nil {
			header.Add("Warning", value)
		}
	}
	return &http.Response{
		StatusCode: code,
		Status:     fmt.Sprintf("%d %s", code, http.StatusText(code)),
		Proto:      "HTTP/1.1",
		ProtoMajor: 1,
		ProtoMinor: 1,
		Header:     header, Body: body, ContentLength: -1, Request: c.r,
	}
}
