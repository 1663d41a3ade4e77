package certificates

import (
	"crypto/x509"
	"errors"
	"fmt"
	"time"

	certmanager "github.com/cert-manager/cert-manager/pkg/server/tls/authority"
	"github.com/go-logr/logr"

	"github.com/claimbridge/claimbridge/webhook/authority"
)

// InSecret is a CA that all replicas share in a Secret, which is shipped empty. Every caBundle of
// the CRDs of Groups and of WebhookConfiguration is kept so that callers trust the certificates,
// also while the CA is replaced. See [authority.Shared].
type InSecret struct {
	Namespace, Name string
	// DNSNames of the certificates, beside localhost.
	DNSNames []string
	// Groups whose CRDs call the server.
	Groups []string
	// WebhookConfiguration is the name of the ValidatingWebhookConfiguration and the
	// MutatingWebhookConfiguration, all of whose webhooks are this server. Empty: there is none.
	WebhookConfiguration string
	// CAValidity and Validity of certificates: those of [authority.Config].
	CAValidity, Validity time.Duration
	// Kubeconfig names the file that says in which cluster the Secret is. Default: KUBECONFIG, the
	// cluster that the process runs in, or ~/.kube/config.
	Kubeconfig string
}

// Open the authority. It asks nothing yet: the first certificate may be long in coming.
func (s InSecret) Open(recorder authority.Recorder, log logr.Logger) (*authority.Source, error) {
	cluster, err := authority.ClusterOf(s.Kubeconfig)
	if err != nil {
		return nil, fmt.Errorf("the CA is in the Secret %s/%s, of which cluster (give a kubeconfig): %w", s.Namespace,
			s.Name, err)
	}
	var crds []string
	for _, group := range s.Groups {
		crds = append(crds, "resourceclaims."+group, "resourceclaimtemplates."+group)
	}
	shared, err := authority.NewShared(authority.Config{
		Cluster:              cluster,
		Namespace:            s.Namespace,
		Name:                 s.Name,
		CRDs:                 crds,
		WebhookConfiguration: s.WebhookConfiguration,
		CAValidity:           s.CAValidity,
		LeafValidity:         s.Validity,
		Recorder:             recorder,
		Logger:               log.WithName("authority"),
	})
	if err != nil {
		return nil, err
	}
	return &authority.Source{Keeper: signedBy(quiet{shared}, s.DNSNames), Late: true}, nil
}

// quiet tells the source in its own words that there is no certificate yet, which it then takes for no failure.
type quiet struct{ *authority.Shared }

// Sign as the authority does.
func (q quiet) Sign(template *x509.Certificate) (*x509.Certificate, error) {
	leaf, err := q.Shared.Sign(template)
	if errors.Is(err, authority.ErrNotYet) {
		return nil, fmt.Errorf("%w: %w", certmanager.ErrCertificateNotAvailable, err)
	}
	return leaf, err
}
