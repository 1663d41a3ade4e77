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

// useSharedCA changes the installation to self-signed certificates, whose CA is in a Secret that replicas share.
func (i *installation) useSharedCA(t *testing.T, ca []byte) {
	t.Helper()
	for _, object := range i.selfSignedObjects(t, ca) {
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

// deleteSelfSignedObjects deletes the objects of selfSignedObjects.
func (i *installation) deleteSelfSignedObjects(t *testing.T) {
	t.Helper()
	for _, object := range i.selfSignedObjects(t, nil) {
		must.Do(t, client.IgnoreNotFound(i.Delete(context.Background(), object)))
	}
}

// selfSignedObjects returns the objects that only an installation with self-signed certificates has: the Secret with
// the CA, and permissions.
func (i *installation) selfSignedObjects(t *testing.T, ca []byte) (objects []client.Object) {
	t.Helper()
	objects = append(objects, &corev1.Secret{
		ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: "claimbridge-ca"},
		Type:       corev1.SecretTypeOpaque,
		Data:       map[string][]byte{corev1.TLSCertKey: ca, corev1.TLSPrivateKeyKey: nil},
	})
	manifests := must.Get(config.Manifests(config.Options{
		Group: i.group, Certificates: config.Self, Only: config.ServerPart,
	}))(t)
	for _, object := range parseObjects(t, manifests) {
		kind := object.GetObjectKind().GroupVersionKind().Kind
		if object.GetName() == name && strings.Contains(kind, "Role") {
			objects = append(objects, object)
		}
	}
	return objects
}

// restrictServiceAccount changes the installation to self-signed certificates, and creates the admission policy that
// restricts the service account of the server.
func (i *installation) restrictServiceAccount(t *testing.T) {
	t.Helper()
	i.useSharedCA(t, i.authority.Certificate)
	manifests := must.Get(config.Manifests(config.Options{
		Group: i.group, Certificates: config.Self, AdmissionPolicy: true,
	}))(t)
	for _, object := range parseObjects(t, manifests) {
		if strings.HasPrefix(object.GetObjectKind().GroupVersionKind().Kind, "ValidatingAdmissionPolicy") {
			i.createObject(t, object)
		}
	}
}
