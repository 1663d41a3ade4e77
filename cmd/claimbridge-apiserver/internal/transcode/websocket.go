package transcode

import (
	"net/http"
	"time"

	"golang.org/x/net/websocket"
	"k8s.io/streaming/pkg/httpstream/wsstream"
)

// serveWebSocket sends one event a message, as text, to clients that cannot read a response while it arrives: browsers.
func (c *call) serveWebSocket(resp *http.Response, cancel func()) {
	c.w.Header().Set("Content-Type", "application/json")
	c.outcome.Code = http.StatusSwitchingProtocols
	websocket.Handler(func(ws *websocket.Conn) {
		defer ws.Close()
		go func() {
			defer cancel() // the client has closed it
			wsstream.IgnoreReceives(ws, 0)
		}()
		c.events(resp, func(frame []byte, _ bool) error {
			if err := ws.SetWriteDeadline(time.Now().Add(slowest)); err != nil {
				return err
			}
			return websocket.Message.Send(ws, string(frame))
		})
	}).ServeHTTP(c.w, c.r)
}
