package transcode

import "net/http"

// delete an object as its caller asks: an API server reads the options of any version, and the answer is what there was.
func (c *call) delete() error {
	body, err := c.body()
	if err != nil {
		return err
	}
	return c.forward(c.request(http.MethodDelete, body, c.r.Header.Get("Content-Type")))
}

// deleteCollection answers with a list of what there was.
func (c *call) deleteCollection() error { return c.delete() }
