package webhook

import (
	"encoding/json"
	"net/http"

	"k8s.io/apiserver/pkg/server/healthz"

	"github.com/claimbridge/claimbridge/webhook/internal/httperror"
)

// routes returns the handler of the secure port.
func (s *Server) routes() http.Handler {
	mux := http.NewServeMux()
	mux.Handle("/convert", s.converter)
	mux.Handle("/validate", s.validator)
	mux.Handle("/default", s.defaulter)
	mux.Handle("/version", s.guard("version", http.HandlerFunc(s.serveVersion)))
	mux.Handle("/", s.guard("other", http.NotFoundHandler()))
	s.addHealthRoutes(mux)
	return mux
}

// addHealthRoutes serves /livez, /readyz and /healthz (and each check below them) as Kubernetes' own servers do.
//
// A server that responds is alive. It is ready if it has a certificate, converts a sample, and is not stopping. None of
// the checks needs an API server. The secure port needs no check, because Run returns if it is not served.
func (s *Server) addHealthRoutes(mux *http.ServeMux) {
	certificate := healthz.NamedCheck("certificate", s.checkCertificate)
	sample := healthz.NamedCheck("conversion", checkConversion)
	stopping := healthz.NamedCheck("shutdown", s.checkShutdown)
	counted := guardedMux{mux, s}
	healthz.InstallLivezHandler(counted, healthz.PingHealthz)
	healthz.InstallReadyzHandler(counted, healthz.PingHealthz, certificate, sample, stopping)
	healthz.InstallHandler(counted, healthz.PingHealthz, certificate, sample)
}

// guardedMux counts health requests like all others.
type guardedMux struct {
	*http.ServeMux
	server *Server
}

// Handle serves a pattern behind a guard.
func (m guardedMux) Handle(pattern string, handler http.Handler) {
	m.ServeMux.Handle(pattern, m.server.guard("health", handler))
}

// serveVersion responds like /version of an API server.
func (s *Server) serveVersion(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		w.Header().Set("Allow", http.MethodGet)
		httperror.Write(w,
			httperror.New(http.StatusMethodNotAllowed, "method %s is not allowed: GET the version",
				httperror.Truncate(r.Method, 16)))
		return
	}
	body, _ := json.MarshalIndent(s.options.Version, "", "  ") // cannot fail: it has only strings
	w.Header().Set("Content-Type", "application/json")
	_, _ = w.Write(append(body, '\n'))
}
