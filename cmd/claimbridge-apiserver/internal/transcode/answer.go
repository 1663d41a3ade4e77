package transcode

import (
	"bytes"
	"encoding/json"
	"mime"
	"net/http"
	"strconv"
	"strings"

	"k8s.io/apimachinery/pkg/runtime"
	utilnet "k8s.io/apimachinery/pkg/util/net"
	"k8s.io/apiserver/pkg/audit"
	"k8s.io/apiserver/pkg/warning"
	"sigs.k8s.io/yaml"

	"github.com/claimbridge/claimbridge/api"
	"github.com/claimbridge/claimbridge/cmd/claimbridge-apiserver/internal/served"
	"github.com/claimbridge/claimbridge/internal/kjson"
)

// stored is the apiVersion of what the store answers with.
const stored = api.Group + "/" + served.Stored

// answer with what the store answered.
func (c *call) answer(resp *http.Response) error {
	c.passHeader(resp.Header)
	done := resp.StatusCode < http.StatusMultipleChoices
	if done && c.hasItems() {
		return c.answerItems(resp)
	}
	body, err := c.readAll(resp)
	if err != nil {
		return err
	}
	if contentType := resp.Header.Get("Content-Type"); !isJSON(contentType) { // a refusal of something on the way
		c.write(resp.StatusCode, contentType, body)
		return nil
	}
	if !done {
		body = c.reword(body)
	} else if body, err = c.show(nil, body); err != nil {
		return err
	}
	return c.writeJSON(resp.StatusCode, body)
}

// passHeader of the store's answer: warnings, and when to come again. The rest is the generic server's.
func (c *call) passHeader(h http.Header) {
	warnings, _ := utilnet.ParseWarningHeaders(h["Warning"])
	for _, w := range warnings {
		warning.AddWarning(c.ctx(), w.Agent, c.rewordText(w.Text))
	}
	if after := h.Get("Retry-After"); after != "" {
		c.w.Header().Set("Retry-After", after)
	}
}

func isJSON(contentType string) bool {
	mediaType, _, err := mime.ParseMediaType(contentType)
	return err == nil && mediaType == runtime.ContentTypeJSON
}

// show appends what the version shows of an answer: of a stored object, of one in an event or in a row. What else there is, as metadata and
// statuses are, is the same in all versions.
func (c *call) show(out, object []byte) ([]byte, error) {
	apiVersion, kind := typeOf(object)
	switch {
	case apiVersion == stored && kind == c.Kind.Kind:
		shown, err := c.lens.Down(out, object)
		if err != nil {
			return out, c.unshown(object, err)
		}
		return shown, nil
	case kind == "Table" && !strings.HasPrefix(apiVersion, api.Group+"/"):
		return c.showTable(out, object)
	}
	return append(out, object...), nil
}

// typeOf an object: its apiVersion and kind, which an API server writes first.
func typeOf(object []byte) (apiVersion, kind string) {
	s := kjson.New(object)
	for name, value := range s.Values() {
		switch name {
		case "apiVersion":
			apiVersion = kjson.StringOf(value)
		case "kind":
			kind = kjson.StringOf(value)
		}
		if apiVersion != "" && kind != "" {
			break
		}
	}
	return apiVersion, kind
}

// writeJSON in the layout that was asked for.
func (c *call) writeJSON(code int, body []byte) error {
	audit.LogResponseObject(c.ctx(), &runtime.Unknown{Raw: body, ContentType: runtime.ContentTypeJSON}, c.GroupVersionKind().GroupVersion(), answers)
	switch {
	case c.form.yaml:
		text, err := yaml.JSONToYAML(body)
		if err != nil {
			return err
		}
		body = text
	case c.form.pretty:
		var text bytes.Buffer
		if err := json.Indent(&text, bytes.TrimSpace(body), "", "  "); err != nil {
			return err
		}
		body = text.Bytes()
	case !bytes.HasSuffix(body, []byte("\n")):
		body = append(body, '\n')
	}
	c.write(code, c.form.contentType(), body)
	return nil
}

func (c *call) write(code int, contentType string, body []byte) {
	c.w.Header().Set("Content-Type", contentType)
	c.w.Header().Set("Content-Length", strconv.Itoa(len(body)))
	c.outcome.Code = code
	c.w.WriteHeader(code)
	_, _ = c.w.Write(body) // the client has gone
}
