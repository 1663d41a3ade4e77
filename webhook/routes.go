package webhook

import (
	"encoding/json"
	"net/http"

	"k8s.io/apiserver/pkg/server/healthz"

	"github.com/claimbridge/claimbridge/webhook/internal/refusal"
)

// routes of the secure port.
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
// A server that answers is alive. It is ready when it has a certificate, converts, and is not stopping. None of the
// checks needs an API server. That the secure port is served needs no check: Run ends when it is not.
func (s *Server) addHealthRoutes(mux *http.ServeMux) {
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

// serveVersion answers as an API server's /version does.
func (s *Server) serveVersion(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		w.Header().Set("Allow", http.MethodGet)
		refusal.Write(w,
			refusal.New(http.StatusMethodNotAllowed, "%s is not possible here: GET the version",
				refusal.Shorten(r.Method, 16)))
		return
	}
	body, _ := json.MarshalIndent(s.options.Version, "", "  ") // of texts
	w.Header().Set("Content-Type", "application/json")
	_, _ = w.Write(append(body, '\n'))
}
