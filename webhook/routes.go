package webhook

import (
	"encoding/json"
	"net/http"

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
	s.installHealth(mux)
	return mux
}

// serveVersion answers as an API server's /version does.
func (s *Server) serveVersion(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		w.Header().Set("Allow", http.MethodGet)
		refusal.Write(w, refusal.New(http.StatusMethodNotAllowed, "%s is not possible here: GET the version", refusal.Shorten(r.Method, 16)))
		return
	}
	body, err := json.MarshalIndent(s.options.Version, "", "  ")
	if err != nil {
		refusal.Write(w, err)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	_, _ = w.Write(append(body, '\n'))
}
