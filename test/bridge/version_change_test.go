//go:build e2e

package bridge

import (
	"net/http"
	"net/url"
	"sync/atomic"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"

	"github.com/claimbridge/claimbridge/bridge"
	"github.com/claimbridge/claimbridge/test/testkit/must"
)

// TestVersionChange checks that a claim is always found while a cluster stops serving a version, as in an upgrade. The
// cluster's 404 for the version must not look like a deletion. Two clusters with the same claim stand for the
// cluster before and after the upgrade.
func TestVersionChange(t *testing.T) {
	before, after := clusterServing(t, "v1beta1"), clusterServing(t, "v1")
	const namespace = "version-change"
	for _, c := range []*cluster{before, after} {
		client := kubernetes.NewForConfigOrDie(c.configWithBridge("root"))
		must.Get(client.CoreV1().Namespaces().Create(t.Context(),
			&corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: namespace}}, metav1.CreateOptions{}))(t)
		must.Get(client.ResourceV1().ResourceClaims(namespace).Create(t.Context(), claimV1("a"), metav1.CreateOptions{}))(t)
	}
	for _, contentType := range []string{"application/json", "application/vnd.kubernetes.protobuf"} {
		t.Run(contentType, func(t *testing.T) {
			upgraded := &upgradedCluster{}
			upgraded.current.Store(before)
			config := &rest.Config{
				Host: before.Config.Host, Transport: upgraded, BearerToken: before.tokens["root"], QPS: -1,
				WarningHandler: rest.NoWarnings{}, ContentConfig: rest.ContentConfig{ContentType: contentType},
			}
			config.Wrap(bridge.Transport(bridge.Options{}))
			client := kubernetes.NewForConfigOrDie(config)
			get := func(when string) {
				t.Helper()
				if _, err := client.ResourceV1beta1().ResourceClaims(namespace).Get(t.Context(), "a",
					metav1.GetOptions{}); err != nil {
					t.Errorf("%s, in v1beta1: got error %v, want none", when, err)
				}
				if _, err := client.ResourceV1().ResourceClaims(namespace).Get(t.Context(), "a",
					metav1.GetOptions{}); err != nil {
					t.Errorf("%s, in v1: got error %v, want none", when, err)
				}
			}
			get("before the upgrade")
			upgraded.current.Store(after)
			get("after the upgrade")
			upgraded.current.Store(before)
			get("after the rollback")
		})
	}
}

// upgradedCluster sends requests to the current one of several clusters.
type upgradedCluster struct{ current atomic.Pointer[cluster] }

func (u *upgradedCluster) RoundTrip(r *http.Request) (*http.Response, error) {
	c := u.current.Load()
	server, err := url.Parse(c.Config.Host)
	if err != nil {
		return nil, err
	}
	transport, err := rest.TransportFor(rest.AnonymousClientConfig(c.Config))
	if err != nil {
		return nil, err
	}
	r = r.Clone(r.Context())
	r.URL.Scheme = server.Scheme
	r.URL.Host = server.Host
	return transport.RoundTrip(r)
}
