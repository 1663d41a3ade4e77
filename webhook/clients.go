package webhook

import (
	"context"
	stdx509 "crypto/x509"
	"fmt"
	"net/http"
	"os"
	"sync/atomic"
	"time"

	"github.com/go-logr/logr"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/apiserver/pkg/authentication/authenticator"
	"k8s.io/apiserver/pkg/authentication/request/x509"
	"k8s.io/client-go/util/cert"

	"github.com/claimbridge/claimbridge/webhook/internal/httperror"
)

// clientCA checks client certificates as kube-apiserver does: the handshake requests a certificate, but accepts any or
// none, and each request is checked with the current CAs of the file. So conversions and probes need no certificate.
type clientCA struct {
	file     string
	roots    atomic.Pointer[stdx509.CertPool]
	identity authenticator.Request
}

// clientCAPoll is the interval at which the file is checked: a watcher can miss changes of a mounted Secret.
const clientCAPoll = 2 * time.Second

// newClientCA reads the file of the options. It returns nil if there is none.
func newClientCA(o Options) (*clientCA, error) {
	if o.ClientCAFile == "" {
		return nil, nil
	}
	c := &clientCA{file: o.ClientCAFile}
	c.identity = x509.NewDynamicCAVerifier(c.verifyOptions,
		x509.NewDynamic(c.verifyOptions, x509.CommonNameUserConversion), x509.StaticStringSlice(o.ClientAllowedNames))
	return c, c.read()
}

// read reads the file. If it is invalid, the previous CAs stay in use.
func (c *clientCA) read() error {
	pem, err := os.ReadFile(c.file)
	if err != nil {
		return fmt.Errorf("read the CAs of clients: %w", err)
	}
	roots, err := cert.NewPoolFromBytes(pem)
	if err != nil {
		return fmt.Errorf("read the CAs of clients in %s: %w", c.file, err)
	}
	c.roots.Store(roots)
	return nil
}

// pollFile reads the file again at an interval, until ctx is done. It logs an error once.
func (c *clientCA) pollFile(ctx context.Context, log logr.Logger) {
	logged := ""
	wait.UntilWithContext(ctx, func(context.Context) {
		err := c.read()
		if err == nil {
			logged = ""
		} else if logged != err.Error() {
			logged = err.Error()
			log.Error(err, "Cannot reload the CAs of clients, keeping the previous ones")
		}
	}, clientCAPoll)
}

func (c *clientCA) verifyOptions() (stdx509.VerifyOptions, bool) {
	o := x509.DefaultVerifyOptions()
	o.Roots = c.roots.Load()
	return o, true
}

// checkClientCertificate rejects requests with an invalid client certificate. It accepts requests without one.
func (s *Server) checkClientCertificate(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if c := s.clients.Load(); c != nil && hasClientCertificate(r) {
			if err := c.authenticate(r); err != nil {
				httperror.Write(w, err)
				return
			}
		}
		next.ServeHTTP(w, r)
	})
}

// requireClientCertificate rejects requests without a valid client certificate, if the server has CAs of clients.
func (s *Server) requireClientCertificate(next http.Handler) http.Handler {
	checked := s.checkClientCertificate(next)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if s.clients.Load() != nil && !hasClientCertificate(r) {
			httperror.Write(w, httperror.New(http.StatusUnauthorized,
				"client certificate required: configure one for this webhook in the API server's "+
					"admission configuration (--admission-control-config-file)"))
			return
		}
		checked.ServeHTTP(w, r)
	})
}

func hasClientCertificate(r *http.Request) bool {
	return r.TLS != nil && len(r.TLS.PeerCertificates) > 0
}

// authenticate returns an error for the client if its certificate is not signed by one of the CAs, or has another name
// than the allowed ones.
func (c *clientCA) authenticate(r *http.Request) error {
	if _, ok, err := c.identity.AuthenticateRequest(r); err != nil {
		return httperror.New(http.StatusUnauthorized, "client certificate: %v", err)
	} else if !ok {
		return httperror.New(http.StatusUnauthorized, "client certificate: it has no common name")
	}
	return nil
}
