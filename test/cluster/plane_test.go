//go:build e2e

package cluster

import (
	"context"
	"fmt"
	"sync"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/kubernetes"

	claims "github.com/claimbridge/claimbridge/api"
	kube "github.com/claimbridge/claimbridge/test/controlplane/plane"
	"github.com/claimbridge/claimbridge/test/testkit/must"
	"github.com/claimbridge/claimbridge/webhook/webhooktest"
)

// versions that are served, oldest first; the last one is stored.
var versions = claims.Names()

const stored = "v1"

var plurals = map[string]string{claimKind: "resourceclaims", templateKind: "resourceclaimtemplates"}

const (
	claimKind    = "ResourceClaim"
	templateKind = "ResourceClaimTemplate"
)

// plane is a control plane with a webhook.
type plane struct {
	name, group string
	*kube.Plane
	client  dynamic.Interface
	webhook *webhooktest.Webhook
	// additional are webhooks of other groups, which stop with the plane.
	additional []*webhooktest.Webhook
}

func (p *plane) start() (err error) {
	o := kube.Options{Users: []kube.User{kube.Administrator}}
	if p == withoutBuiltIn {
		o.RuntimeConfig = kube.WithoutClaims
	}
	p.Plane, err = kube.Start(o)
	if err == nil {
		p.client, err = dynamic.NewForConfig(p.Config)
	}
	if err == nil {
		p.webhook, err = webhooktest.Start(context.Background(), p.Config, webhooktest.Options{Group: p.group})
	}
	if err != nil {
		return fmt.Errorf("%s: %w", p.name, err)
	}
	return nil
}

func (p *plane) stop() error {
	webhooks := p.additional
	if p.webhook != nil {
		webhooks = append(webhooks, p.webhook)
	}
	for _, w := range webhooks {
		if err := w.Stop(); err != nil {
			return err
		}
	}
	if p.Plane == nil {
		return nil
	}
	return p.Stop()
}

// conversionOnlyGroup returns a third group, which has only the conversion webhook and no validation. Its name is after
// that of the other group in the alphabet, because kubectl resolves short names in this order.
func conversionOnlyGroup(t *testing.T) *plane {
	t.Helper()
	return must.Get(conversionOnly())(t)
}

// conversionOnly is installed by the first test that uses it, and stopped with customGroup, whose control plane it
// shares.
var conversionOnly = sync.OnceValues(func() (p *plane, err error) {
	p = &plane{}
	*p = *customGroup
	p.name, p.group = "conversion only", "unvalidated.example.com"
	p.webhook, err = webhooktest.Start(context.Background(), p.Config,
		webhooktest.Options{Group: p.group, ConversionOnly: true})
	if err != nil {
		return nil, fmt.Errorf("%s: %w", p.name, err)
	}
	customGroup.additional = append(customGroup.additional, p.webhook)
	return p, nil
})

// space is a namespace of a plane.
type space struct {
	*plane
	namespace string
}

// space returns a new namespace for a test.
func (p *plane) space(t testing.TB) space {
	t.Helper()
	client := must.Get(kubernetes.NewForConfig(p.Config))(t)
	namespace := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{GenerateName: "test-"}}
	namespace = must.Get(client.CoreV1().Namespaces().Create(t.Context(), namespace, metav1.CreateOptions{}))(t)
	return space{p, namespace.Name}
}

// kubeconfig returns an administrator's kubeconfig with this namespace.
func (s space) kubeconfig(t testing.TB) []byte {
	t.Helper()
	return s.KubeconfigOf(t, kube.Administrator.Name, s.namespace)
}

// resource returns a client for the resources of a version and kind.
func (s space) resource(version, kind string) dynamic.ResourceInterface {
	resource := schema.GroupVersionResource{Group: s.group, Version: version, Resource: plurals[kind]}
	return s.client.Resource(resource).Namespace(s.namespace)
}

func (s space) claims(version string) dynamic.ResourceInterface {
	return s.resource(version, claimKind)
}
