package transcode

import "net/http"

// get an object, or its status, which is the same object.
func (c *call) get() error { return c.forward(c.request(http.MethodGet, nil, "")) }
