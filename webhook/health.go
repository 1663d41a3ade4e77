package webhook

import (
	"errors"
	"fmt"
	"net/http"

	"k8s.io/apiserver/pkg/server/healthz"

	"github.com/claimbridge/claimbridge/conversion"
)

// installHealth serves /livez, /readyz and /healthz (and each check below them) as Kubernetes' own servers do.
//
// Alive is a server that answers. Ready is one that a call can be sent to: it has a certificate, converts, and is not
// stopping. None of the checks needs an API server.
func (s *Server) installHealth(mux *http.ServeMux) {
	certificate := healthz.NamedCheck("certificate", s.checkCertificate)
	sample := healthz.NamedCheck("conversion", checkConversion)
	stopping := healthz.NamedCheck("shutdown", s.checkShutdown)
	counted := guardedMux{mux, s}
	healthz.InstallLivezHandler(counted, healthz.PingHealthz)
	healthz.InstallReadyzHandler(counted, healthz.PingHealthz, certificate, sample, stopping)
	healthz.InstallHandler(counted, healthz.PingHealthz, certificate, sample)
}

// guardedMux counts requests for health like all others.
type guardedMux struct {
	*http.ServeMux
	server *Server
}

// Handle serves a pattern behind a guard.
func (m guardedMux) Handle(pattern string, handler http.Handler) {
	m.ServeMux.Handle(pattern, m.server.guard("health", handler))
}

func (s *Server) checkCertificate(*http.Request) error {
	_, err := s.certificate()
	return err
}

func (s *Server) checkShutdown(*http.Request) error {
	if s.draining.Load() {
		return errors.New("the server is stopping")
	}
	return nil
}

// sample is a claim with an allocation, so that spec, status and leftovers of both steps are walked through.
const sample = `{"apiVersion":"resource.k8s.io/v1alpha1","kind":"ResourceClaim",` +
	`"metadata":{"name":"sample","namespace":"default","uid":"00000000-0000-0000-0000-000000000000"},` +
	`"spec":{"resourceClassName":"gpu.example.com","allocationMode":"Immediate"},` +
	`"status":{"driverName":"gpu.example.com","allocation":{"resourceHandle":"gpu-0","shareable":true}}}`

// checkConversion converts the sample to the stored version and back. With its leftovers in annotations nothing of them
// remains.
func checkConversion(*http.Request) error {
	options := conversion.Options{AnnotationsOnly: true}
	up, _, err := conversion.JSON([]byte(sample), conversion.Stored(), options)
	if err != nil {
		return err
	}
	back, _, err := conversion.JSON(up, conversion.Versions()[0], options)
	if err != nil {
		return err
	}
	if !conversion.Equal(back, []byte(sample)) {
		return fmt.Errorf("a claim taken from %s to %s and back is not the same", conversion.Versions()[0], conversion.Stored())
	}
	return nil
}
