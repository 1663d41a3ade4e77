package certs

import (
	"cmp"
	"crypto/x509"
	"errors"
	"fmt"
	"net/http"
	"sync"
	"time"

	certmanagertls "github.com/cert-manager/cert-manager/pkg/server/tls"
	certmanager "github.com/cert-manager/cert-manager/pkg/server/tls/authority"
	"github.com/go-logr/logr"
	"github.com/prometheus/client_golang/prometheus"
	"k8s.io/client-go/dynamic"
	corev1client "k8s.io/client-go/kubernetes/typed/core/v1"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
	"k8s.io/utils/clock"
)

// DefaultCAValidity is that of cert-manager's DynamicAuthority. The next CA is generated after eight months, which
// leaves four months to notice that it cannot be published.
const DefaultCAValidity = 365 * 24 * time.Hour

// requestTimeout is the timeout of one request. An API server validates all of a CRD when its caBundle is patched,
// which took more than 10 s on a loaded machine. The next round repeats a failed request.
const requestTimeout = 30 * time.Second

// InSecret is a CA that all replicas share in a Secret, which is installed empty. The caBundles of CRDs and of
// WebhookConfiguration are kept so that clients trust the certificates of every replica, also during a rotation. See
// [Shared].
type InSecret struct {
	Namespace, Name string
	// DNSNames are the names in the certificates, in addition to localhost.
	DNSNames []string
	// CRDs, WebhookConfiguration and CAValidity are those of [Config].
	CRDs                 []string
	WebhookConfiguration string
	CAValidity           time.Duration
	// Validity is the LeafValidity of [Config].
	Validity time.Duration
	// Kubeconfig is the file that names the cluster of the Secret. Default: KUBECONFIG, the cluster that the process
	// runs in, or ~/.kube/config.
	Kubeconfig string
}

// Open returns a source that has no certificate yet. It sends no request before Start.
func (s InSecret) Open(log logr.Logger) (*Source, error) {
	rules := clientcmd.NewDefaultClientConfigLoadingRules()
	rules.ExplicitPath = s.Kubeconfig
	cluster, err := clientcmd.NewNonInteractiveDeferredLoadingClientConfig(rules, nil).ClientConfig()
	if err != nil {
		return nil, fmt.Errorf("the CA in the Secret %s/%s requires a cluster (set a kubeconfig): %w", s.Namespace,
			s.Name, err)
	}
	shared, err := NewShared(Config{
		Cluster:              cluster,
		Namespace:            s.Namespace,
		Name:                 s.Name,
		CRDs:                 s.CRDs,
		WebhookConfiguration: s.WebhookConfiguration,
		CAValidity:           s.CAValidity,
		LeafValidity:         s.Validity,
		Logger:               log.WithName("authority"),
	})
	if err != nil {
		return nil, err
	}
	source := &certmanagertls.DynamicSource{DNSNames: dnsNames(s.DNSNames), Authority: certManagerAuthority{shared}}
	return &Source{renewer: source, collectors: []prometheus.Collector{shared.metrics}}, nil
}

// certManagerAuthority adapts errors for cert-manager's DynamicSource, which retries quietly after its own
// ErrCertificateNotAvailable.
type certManagerAuthority struct{ *Shared }

// Sign signs a certificate for a template like [Shared.Sign].
func (a certManagerAuthority) Sign(template *x509.Certificate) (*x509.Certificate, error) {
	leaf, err := a.Shared.Sign(template)
	if errors.Is(err, errNotYet) {
		return nil, fmt.Errorf("%w: %w", certmanager.ErrCertificateNotAvailable, err)
	}
	return leaf, err
}

// Config is the configuration of a [Shared] authority.
type Config struct {
	// Cluster is the cluster whose API server calls the webhook.
	Cluster *rest.Config
	// Namespace and Name are those of the Secret with the CA. It is installed empty, so that a Role can name it. The
	// authority needs permission to get and update it, and recreates a deleted Secret if it may create Secrets.
	Namespace, Name string
	// CRDs are the names of the CustomResourceDefinitions whose conversion webhook is this server. A CRD that does not
	// exist, or that has no conversion webhook, is ignored until it has one.
	CRDs []string
	// WebhookConfiguration is the name of a ValidatingWebhookConfiguration and a MutatingWebhookConfiguration, all of
	// whose webhooks are this server. Empty: there is none.
	WebhookConfiguration string
	// CAValidity is how long a CA is valid. It is rotated after two thirds of that. It must be at least three times
	// LeafValidity. Default: 365 days.
	CAValidity time.Duration
	// LeafValidity is how long a serving certificate is valid. All replicas should have the same value, because the old
	// CA is trusted this long after the last replica has read the new one. Other times follow from it: the poll
	// interval (10 s, at most a tenth), the time between publication and first signature of a CA (2 minutes, at most a
	// quarter), and the tolerated clock skew (5 minutes, at most a tenth). Default: 7 days.
	LeafValidity time.Duration
	// Clock is the clock of the authority. Default: this machine's clock, corrected by the Date header of the API
	// server's responses, because the API server verifies the certificates.
	Clock clock.PassiveClock
	// Logger is the log of the authority. Secrets are never logged.
	Logger logr.Logger
}

// Shared is a CA that all replicas share in a Secret. It implements cert-manager's tls.Authority. It can sign once Run
// has read or generated a CA.
type Shared struct {
	Config
	policy  policy
	metrics *metrics
	secrets corev1client.SecretInterface
	dynamic dynamic.Interface
	objects caBundleObjects

	// lastState and lastError are used only by the loop of Run.
	lastState state  // what the Secret held when it was last read
	lastError string // the last error that was logged

	mutex        sync.Mutex
	signingCA    *ca               // the CA that signs
	secretReadAt time.Time         // when the Secret was last seen to hold that CA
	leaf         *x509.Certificate // the last certificate that was signed
	signedAt     time.Time         // when that was, by this machine's clock
	watches      []chan<- struct{}
}

// NewShared validates the configuration and returns an authority. It sends no request.
func NewShared(c Config) (*Shared, error) {
	c.CAValidity = cmp.Or(c.CAValidity, DefaultCAValidity)
	c.LeafValidity = cmp.Or(c.LeafValidity, DefaultValidity)
	switch {
	case c.Namespace == "" || c.Name == "":
		return nil, errors.New("the Secret of the CA: namespace and name are required")
	case c.LeafValidity < time.Second:
		return nil, fmt.Errorf("certificate validity %s: must be at least a second", c.LeafValidity)
	case c.CAValidity < 3*c.LeafValidity:
		return nil, fmt.Errorf("CA validity %s: must be at least three times the %s of certificates", c.CAValidity,
			c.LeafValidity)
	}
	cluster := rest.CopyConfig(c.Cluster)
	cluster.Timeout = requestTimeout
	cluster.QPS = -1 // there is at most one round per second
	if c.Clock == nil {
		corrected := &serverClock{}
		cluster.Wrap(func(next http.RoundTripper) http.RoundTripper { return dateReader{next, corrected} })
		c.Clock = corrected
	}
	secrets, err := corev1client.NewForConfig(cluster)
	if err != nil {
		return nil, fmt.Errorf("client of the cluster: %w", err)
	}
	objects, err := dynamic.NewForConfig(cluster)
	if err != nil {
		return nil, fmt.Errorf("client of the cluster: %w", err)
	}
	a := &Shared{
		Config:  c,
		policy:  newPolicy(c.CAValidity, c.LeafValidity),
		metrics: newMetrics(),
		secrets: secrets.Secrets(c.Namespace),
		dynamic: objects,
	}
	for _, name := range c.CRDs {
		a.objects = append(a.objects, &caBundleObject{resource: customResourceDefinitions, name: name})
	}
	if c.WebhookConfiguration != "" {
		a.objects = append(a.objects,
			&caBundleObject{resource: validatingWebhookConfigurations, name: c.WebhookConfiguration},
			&caBundleObject{resource: mutatingWebhookConfigurations, name: c.WebhookConfiguration})
	}
	return a, nil
}
