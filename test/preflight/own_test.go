//go:build e2e

package preflight

import (
	"context"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/claimbridge/claimbridge/config"
	"github.com/claimbridge/claimbridge/test/testkit/must"
)

// shareCA as the manifests for certificates of the server's own do.
func (i *installation) shareCA(t *testing.T, ca []byte) {
	t.Helper()
	secret := i.own(t)[0].(*corev1.Secret)
	secret.Type = corev1.SecretTypeOpaque
	secret.Data = map[string][]byte{corev1.TLSCertKey: ca, corev1.TLSPrivateKeyKey: nil}
	for _, object := range append(i.own(t)[1:], secret) {
		must.Do(t, i.Create(context.Background(), object))
	}
	i.remove(t, "secret")
	i.patch(t, "deployment", operation{Op: "remove", Path: "/spec/template/spec/volumes"},
		operation{Op: "remove", Path: "/spec/template/spec/containers/0/volumeMounts"},
		operation{
			Op:    "replace",
			Path:  "/spec/template/spec/containers/0/args",
			Value: []string{"serve", "--certificate-secret=$(POD_NAMESPACE)/claimbridge-ca"},
		})
}

// withoutOwn Secret and rights.
func (i *installation) withoutOwn(t *testing.T) {
	t.Helper()
	for _, object := range i.own(t) {
		must.Do(t, client.IgnoreNotFound(i.Delete(context.Background(), object)))
	}
}

// own objects of an installation that is its own CA, which others do not have: the Secret, and rights.
func (i *installation) own(t *testing.T) (objects []client.Object) {
	t.Helper()
	objects = append(objects, &corev1.Secret{
		ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: "claimbridge-ca"},
	})
	manifests := must.Get(config.Manifests(config.Options{
		Group: i.group, Certificates: config.Self, Only: config.ServerPart,
	}))(t)
	for _, object := range parse(t, manifests) {
		kind := object.GetObjectKind().GroupVersionKind().Kind
		if object.GetName() == name && strings.Contains(kind, "Role") {
			objects = append(objects, object)
		}
	}
	return objects
}

// holdAccount of a server that is its own CA, as the manifests with --admission-policy do.
func (i *installation) holdAccount(t *testing.T) {
	t.Helper()
	i.shareCA(t, i.authority.Certificate)
	manifests := must.Get(config.Manifests(config.Options{
		Group: i.group, Certificates: config.Self, AdmissionPolicy: true,
	}))(t)
	for _, object := range parse(t, manifests) {
		if strings.HasPrefix(object.GetObjectKind().GroupVersionKind().Kind, "ValidatingAdmissionPolicy") {
			i.createOne(t, object)
		}
	}
}
