package certificates

import (
	"fmt"
	"strings"

	"k8s.io/client-go/rest"
	"k8s.io/klog/v2"

	"github.com/claimbridge/claimbridge/webhook/authority"
)

// Shared source, by the CA in a Secret of a cluster (namespace/name), published in the APIServices of some versions of
// resource.k8s.io. The recorder, if there is one, hears what happens, for metrics.
func Shared(cluster *rest.Config, secret string, dnsNames, versions []string, recorder authority.Recorder) (*Source, error) {
	namespace, name, ok := strings.Cut(secret, "/")
	if !ok {
		return nil, fmt.Errorf("the Secret of the CA, %.100q: must be namespace/name", secret)
	}
	var services []string
	for _, version := range versions {
		services = append(services, version+".resource.k8s.io")
	}
	shared, err := authority.NewShared(authority.Config{
		Cluster: cluster, Namespace: namespace, Name: name, APIServices: services, Recorder: recorder, Logger: klog.Background().WithName("authority"),
	})
	if err != nil {
		return nil, err
	}
	return New(shared, "the CA in Secret "+secret, dnsNames), nil
}
