package webhook

import (
	"fmt"
	"strings"

	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"

	"github.com/claimbridge/claimbridge/webhook/authority"
	"github.com/claimbridge/claimbridge/webhook/internal/metrics"
)

var _ authority.Recorder = &metrics.Metrics{}

// newSharedAuthority in the Secret of the options, trusted by all that calls this server: the CRDs of its groups and its
// webhook configurations.
func (s *Server) newSharedAuthority() (*authority.Shared, error) {
	o := s.options
	cluster, err := clusterOf(o.Kubeconfig)
	if err != nil {
		return nil, fmt.Errorf("the CA is in the Secret %s, of which cluster (give a kubeconfig): %w", o.CertificateSecret, err)
	}
	namespace, name, _ := strings.Cut(o.CertificateSecret, "/")
	var crds []string
	for _, group := range o.Groups {
		crds = append(crds, "resourceclaims."+group, "resourceclaimtemplates."+group)
	}
	return authority.NewShared(authority.Config{
		Cluster: cluster, Namespace: namespace, Name: name, CRDs: crds, WebhookConfiguration: o.WebhookConfiguration,
		CAValidity: o.CAValidity, LeafValidity: o.CertificateValidity, Recorder: s.metrics, Logger: s.log.WithName("authority"),
	})
}

// clusterOf a kubeconfig file, or else the one that client-go finds.
func clusterOf(kubeconfig string) (*rest.Config, error) {
	rules := clientcmd.NewDefaultClientConfigLoadingRules()
	rules.ExplicitPath = kubeconfig
	return clientcmd.NewNonInteractiveDeferredLoadingClientConfig(rules, nil).ClientConfig()
}
