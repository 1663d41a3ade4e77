package store

import (
	"errors"
	"net/http"
	"strings"

	utilnet "k8s.io/apimachinery/pkg/util/net"
	"k8s.io/client-go/rest"

	"github.com/claimbridge/claimbridge/api"
	"github.com/claimbridge/claimbridge/cmd/claimbridge-apiserver/internal/served"
)

// receiveWindow is what the store may send of one answer before somebody reads it. Go's own is 4 MiB, which 1,000 watches that nobody reads
// would keep as 4 GiB here; of this, the least that Go takes, they keep 64 MiB. In a cluster, where an answer takes a millisecond, it still lets
// through 64 MB a second.
const receiveWindow = 64 << 10

// connect to a cluster: where its v1 is, and by what.
//
// A watch is a stream of HTTP/2, and a connection to a kube-apiserver has 100 of them (250 in old releases); Go opens another connection when
// they are all taken, so 1,000 watches are ten connections. One that has died is found by a ping after 30 s without a byte, as in client-go.
func connect(given *rest.Config) (base string, rt http.RoundTripper, err error) {
	config := rest.CopyConfig(given)
	if config.Impersonate.UserName != "" {
		return "", nil, errors.New("the kubeconfig acts as another user (--as), while the server has to act as its callers: take that out")
	}
	config.DisableCompression = true // between us it costs more than it saves
	config.UserAgent = ""            // that of the caller, or none
	if config.Proxy == nil {         // the default; where it is said, client-go shares the transport, whose window is set below, with nobody else
		config.Proxy = http.ProxyFromEnvironment
	}
	config.Wrap(func(rt http.RoundTripper) http.RoundTripper {
		if t, ok := Unwrapped(rt).(*http.Transport); ok {
			t.HTTP2 = &http.HTTP2Config{MaxReceiveBufferPerStream: receiveWindow}
		}
		return rt
	})
	if rt, err = rest.TransportFor(config); err != nil {
		return "", nil, err
	}
	host, _, err := rest.DefaultServerUrlFor(config)
	if err != nil {
		return "", nil, err
	}
	return strings.TrimSuffix(host.String(), "/") + "/apis/" + api.Group + "/" + served.Stored, rt, nil
}

// Unwrapped is the transport below all that wraps it.
func Unwrapped(rt http.RoundTripper) http.RoundTripper {
	for {
		wrapper, ok := rt.(utilnet.RoundTripperWrapper)
		if !ok {
			return rt
		}
		rt = wrapper.WrappedRoundTripper()
	}
}
