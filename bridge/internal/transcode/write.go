package transcode

import (
	"fmt"
	"net/http"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime"
)

// send the object that is created or updated, in the cluster's version: an API server that has both
// takes what is said in the one for all that is said in the other.
func (c *call) send() (*http.Response, error) {
	reader, err := c.reader()
	if err != nil {
		return nil, err
	}
	body, err := c.body(reader.MediaType)
	if err != nil {
		return nil, err
	}
	sent, err := c.decode(reader, body)
	if err != nil {
		return nil, err
	}
	if c.r.Method == http.MethodPut {
		if err := c.named(metadataOf(sent.json)); err != nil {
			return nil, err
		}
	}
	resp, err := c.write(sent, func(stored []byte) *http.Request {
		return c.request(c.r.Method, stored, runtime.ContentTypeJSON)
	})
	if err != nil {
		return nil, err
	}
	return c.answer(resp)
}

// write an object, which the cluster is to take whole: what these types know and its release does
// not is refused. What neither of them knows is refused, told or ignored as its sender asks, and
// what came after these types is the cluster's to know.
func (c *call) write(s *sent, request func(stored []byte) *http.Request) (*http.Response, error) {
	converted, err := c.toServed(s.json)
	if err != nil {
		return nil, err
	}
	if len(s.problems) > 0 && c.problemsStored(converted) < len(s.problems) { // the cluster would not see them all
		if converted, err = c.knownAlone(s); err != nil {
			return nil, err
		}
	}
	resp, err := c.Next.RoundTrip(c.strict(request(converted)))
	if err != nil || !c.isStrict(resp) {
		return resp, err
	}
	if len(s.problems) == 0 {
		return nil, c.unknownToRelease(resp)
	}
	_ = resp.Body.Close()
	if converted, err = c.knownAlone(s); err != nil {
		return nil, err
	}
	resp, err = c.Next.RoundTrip(c.strict(request(converted)))
	if err == nil && c.isStrict(resp) {
		return nil, c.unknownToRelease(resp)
	}
	return resp, err
}

// knownAlone is an object without what these types do not know.
func (c *call) knownAlone(s *sent) ([]byte, error) {
	if err := c.strictly(s.problems); err != nil {
		return nil, err
	}
	known, err := c.written(s.typed)
	if err != nil {
		return nil, err
	}
	return c.toServed(known)
}

// named as the path says: the object of an update, and what a patch makes of one.
func (c *call) named(m metadata) error {
	switch {
	case m.namespace != "" && m.namespace != c.t.namespace:
		return apierrors.NewBadRequest("the namespace of the provided object does not match the namespace sent on " +
			"the request")
	case m.name == "":
		return apierrors.NewBadRequest(fmt.Sprintf("the name of the object (%s based on URL) was undeterminable: "+
			"name must be provided",
			c.t.name))
	case m.name != c.t.name:
		return apierrors.NewBadRequest(fmt.Sprintf("the name of the object (%s) does not match the name on the URL (%s)",
			m.name, c.t.name))
	}
	return nil
}
