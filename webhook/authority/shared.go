package authority

import (
	"cmp"
	"crypto/x509"
	"errors"
	"fmt"
	"net/http"
	"sync"
	"time"

	"github.com/go-logr/logr"
	"k8s.io/client-go/dynamic"
	corev1client "k8s.io/client-go/kubernetes/typed/core/v1"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
	"k8s.io/utils/clock"
)

// DefaultCAValidity is that of cert-manager's own authority: the next CA is made after eight months, which leaves four
// to notice that it cannot be published.
const DefaultCAValidity = 365 * 24 * time.Hour

// requestTimeout of one small request: the next round asks again.
const requestTimeout = 10 * time.Second

// Config of a [Shared] authority.
type Config struct {
	// Cluster whose API server calls the webhook.
	Cluster *rest.Config
	// Namespace and Name of the Secret that holds the CA. It is shipped empty, so that roles can name it; the authority
	// may get and update it, and creates it when it is gone and it may.
	Namespace, Name string
	// CRDs whose conversion webhook is this one, by name. One that is not there, or converts nothing, is passed over
	// until it does.
	CRDs []string
	// WebhookConfiguration is the name of a validating and a mutating configuration, all of whose
	// webhooks are this one. Empty: there is none.
	WebhookConfiguration string
	// CAValidity, default 365 days, is how long a CA is valid; it is replaced after two thirds of that. At least three
	// times LeafValidity.
	CAValidity time.Duration
	// LeafValidity, default 7 days, is how long a serving certificate is valid. All replicas should have the same: the
	// old CA is trusted this long after the last replica has heard of the new one. How often a replica looks (10 s, at
	// most a tenth), how long a new CA is only trusted (2 minutes, at most a quarter) and how far back certificates
	// begin (5 minutes, at most a tenth) follow from it.
	LeafValidity time.Duration
	// Clock. Default: this machine's, put right by the time that the API server states in its answers, for it is the
	// API server that judges certificates.
	Clock clock.PassiveClock
	// Recorder of what happens. Default: none.
	Recorder Recorder
	// Logger. Nothing secret is ever logged.
	Logger logr.Logger
}

// Recorder hears what a [Shared] authority does, for metrics.
type Recorder interface {
	// Signed a serving certificate.
	Signed()
	// CA that signs from now on.
	CA(notAfter time.Time)
	// Bundle of an object, like "customresourcedefinitions/name": whether it was last seen to hold the CA that signs.
	Bundle(object string, holds bool)
}

// Shared is a CA in a Secret, see the package's comment. It is not ready before Run has read or made one.
type Shared struct {
	Config
	policy  policy
	secrets corev1client.SecretInterface
	dynamic dynamic.Interface
	objects view

	// Only the loop of Run uses these.
	held     state
	reported string

	mutex   sync.Mutex
	signing *ca               // signs
	read    time.Time         // when the Secret was last seen to say so
	leaf    *x509.Certificate // that was signed last
	signed  time.Time         // when, by this machine's clock
	watches []chan<- struct{}
}

// ClusterOf a kubeconfig file, or else the one that client-go finds.
func ClusterOf(kubeconfig string) (*rest.Config, error) {
	rules := clientcmd.NewDefaultClientConfigLoadingRules()
	rules.ExplicitPath = kubeconfig
	return clientcmd.NewNonInteractiveDeferredLoadingClientConfig(rules, nil).ClientConfig()
}

// NewShared checks the configuration and makes an authority. It asks nothing yet.
func NewShared(c Config) (*Shared, error) {
	c.CAValidity, c.LeafValidity = cmp.Or(c.CAValidity, DefaultCAValidity), cmp.Or(c.LeafValidity, DefaultValidity)
	switch {
	case c.Namespace == "" || c.Name == "":
		return nil, errors.New("the Secret of the CA needs a namespace and a name")
	case c.LeafValidity < time.Second:
		return nil, fmt.Errorf("certificate validity %s: must be at least a second", c.LeafValidity)
	case c.CAValidity < 3*c.LeafValidity:
		return nil, fmt.Errorf("CA validity %s: must be at least three times the %s of certificates", c.CAValidity,
			c.LeafValidity)
	}
	if c.Recorder == nil {
		c.Recorder = unrecorded{}
	}
	cluster := rest.CopyConfig(c.Cluster)
	cluster.Timeout = requestTimeout
	cluster.QPS = -1 // there is at most one round a second, and no request waits for another round's
	if c.Clock == nil {
		judged := &serverClock{}
		cluster.Wrap(func(next http.RoundTripper) http.RoundTripper { return listener{next, judged} })
		c.Clock = judged
	}
	secrets, err := corev1client.NewForConfig(cluster)
	objects, noObjects := dynamic.NewForConfig(cluster)
	if err = cmp.Or(err, noObjects); err != nil {
		return nil, fmt.Errorf("client of the cluster: %w", err)
	}
	a := &Shared{
		Config:  c,
		policy:  newPolicy(c.CAValidity, c.LeafValidity),
		secrets: secrets.Secrets(c.Namespace),
		dynamic: objects,
	}
	for _, name := range c.CRDs {
		a.objects = append(a.objects, &object{resource: customResourceDefinitions, name: name})
	}
	if c.WebhookConfiguration != "" {
		a.objects = append(a.objects,
			&object{resource: validatingWebhookConfigurations, name: c.WebhookConfiguration},
			&object{resource: mutatingWebhookConfigurations, name: c.WebhookConfiguration})
	}
	return a, nil
}

type unrecorded struct{}

func (unrecorded) Signed()             {}
func (unrecorded) CA(time.Time)        {}
func (unrecorded) Bundle(string, bool) {}
