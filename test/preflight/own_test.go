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

// shareCA changes the installation to a CA in a Secret that replicas share, like the manifests for self-signed
// certificates.
func (i *installation) shareCA(t *testing.T, ca []byte) {
	t.Helper()
	secret := i.selfSigned(t)[0].(*corev1.Secret)
	secret.Type = corev1.SecretTypeOpaque
	secret.Data = map[string][]byte{corev1.TLSCertKey: ca, corev1.TLSPrivateKeyKey: nil}
	for _, object := range append(i.selfSigned(t)[1:], secret) {
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

// removeSelfSigned deletes the objects of selfSigned.
func (i *installation) removeSelfSigned(t *testing.T) {
	t.Helper()
	for _, object := range i.selfSigned(t) {
		must.Do(t, client.IgnoreNotFound(i.Delete(context.Background(), object)))
	}
}

// selfSigned returns the objects that only an installation with self-signed certificates has: the Secret, and
// permissions.
func (i *installation) selfSigned(t *testing.T) (objects []client.Object) {
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

// restrictAccount restricts the account of a server with self-signed certificates, like manifests with
// --admission-policy.
func (i *installation) restrictAccount(t *testing.T) {
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
