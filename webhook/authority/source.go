package authority

import (
	"context"
	"crypto/tls"

	"github.com/prometheus/client_golang/prometheus"
)

// Keeper of a serving certificate.
type Keeper interface {
	// GetCertificate for a handshake. It may be nil or an error when there is none yet.
	GetCertificate(*tls.ClientHelloInfo) (*tls.Certificate, error)
	// Start keeps the certificate up to date until ctx is done.
	Start(ctx context.Context) error
}

// Source is where a server has its certificate from. Package certificates makes them.
type Source struct {
	Keeper
	// Late says that the first certificate may be long in coming. Then the server serves without one, and is not ready.
	Late bool
	// Collectors of metrics of the keeper.
	Collectors []prometheus.Collector
}
