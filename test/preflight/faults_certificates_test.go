//go:build e2e

package preflight

import (
	"bytes"
	"context"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/claimbridge/claimbridge/config"
	"github.com/claimbridge/claimbridge/test/testkit/must"
)

// certificateFaults are in what API servers trust, and in what they are shown.
var certificateFaults = map[string]fault{
	"no CA in a definition": {
		make: func(t *testing.T, i *installation) {
			i.change(t, theDefinition, func() { theDefinition.Spec.Conversion.Webhook.ClientConfig.CABundle = nil })
		},
		want: []string{"problem ca-bundle-is-set" + claims},
		says: "spec.conversion.webhook.clientConfig.caBundle is missing",
	},
	"a blank CA in a definition": {
		make: func(t *testing.T, i *installation) {
			// An API server takes no bad bundle in place of a good one, only in a definition that is new.
			if err := i.read(theDefinition); err != nil {
				t.Fatal(err)
			}
			blank := &apiextensionsv1.CustomResourceDefinition{ObjectMeta: metav1.ObjectMeta{Name: theDefinition.Name, Annotations: theDefinition.Annotations}, Spec: theDefinition.Spec}
			blank.Spec.Conversion.Webhook.ClientConfig.CABundle = []byte("\n")
			i.remove(t, theDefinition)
			if err := i.Create(context.Background(), blank); err != nil {
				t.Fatal(err)
			}
			i.eventually(t, "accept names", func() error {
				return i.condition(blank.Name, apiextensionsv1.NamesAccepted, apiextensionsv1.ConditionTrue)
			})
		},
		want: []string{"problem ca-bundle-is-set" + claims, "problem definitions-are-accepted" + claims},
		says: "is blank, only white space (Cg==)",
	},
	"a CA in the validating configuration that is none": {
		make: func(t *testing.T, i *installation) {
			i.change(t, theJudge, func() { theJudge.Webhooks[0].ClientConfig.CABundle = []byte("a CA, honestly") })
		},
		want: []string{"problem ca-bundle-is-set" + judge},
		says: "webhooks[validate.claimbridge.dev].clientConfig.caBundle cannot be read: there is no PEM block",
	},
	"no CA in the mutating configuration": {
		make: func(t *testing.T, i *installation) {
			i.change(t, theDefaulter, func() { theDefaulter.Webhooks[0].ClientConfig.CABundle = nil })
		},
		want: []string{"problem ca-bundle-is-set" + defaulter},
	},
	"the CA of another installation in a definition": {
		make: func(t *testing.T, i *installation) {
			i.change(t, theTemplates, func() { theTemplates.Spec.Conversion.Webhook.ClientConfig.CABundle = newAuthority(t, fresh).pem })
		},
		want: []string{"problem certificate-is-trusted" + templates},
		says: "does not fit the certificate that is served (Secret claimbridge-system/claimbridge-tls): x509: certificate signed by unknown authority",
	},
	"old and new CA in a definition, which is a rotation": {
		make: func(t *testing.T, i *installation) {
			i.change(t, theTemplates, func() {
				theTemplates.Spec.Conversion.Webhook.ClientConfig.CABundle = bytes.Join([][]byte{newAuthority(t, expired).pem, i.authority.pem, newAuthority(t, fresh).pem}, nil)
			})
		},
	},
	"an expired CA": {
		make: func(t *testing.T, i *installation) {
			i.change(t, theJudge, func() { theJudge.Webhooks[0].ClientConfig.CABundle = newAuthority(t, expired).pem })
		},
		want: []string{"problem ca-bundle-is-current" + judge},
		says: "its CA expired on ",
	},
	"a certificate that another CA has signed": {
		make: func(t *testing.T, i *installation) {
			i.change(t, theSecret, func() { theSecret.Data[corev1.TLSCertKey], _ = newAuthority(t, fresh).leaf(t, fresh, dnsName) })
		},
		want: []string{"problem certificate-is-trusted" + claims, "problem certificate-is-trusted" + templates, "problem certificate-is-trusted" + defaulter, "problem certificate-is-trusted" + judge},
		left: "only who has the key of the CA can make a certificate",
	},
	"a certificate with another name": {
		make: func(t *testing.T, i *installation) {
			i.change(t, theSecret, func() { theSecret.Data[corev1.TLSCertKey], _ = i.authority.leaf(t, fresh, "claimbridge.other.svc") })
		},
		want: []string{"problem certificate-is-trusted" + claims, "problem certificate-is-trusted" + templates, "problem certificate-is-trusted" + defaulter, "problem certificate-is-trusted" + judge},
		says: "certificate is valid for claimbridge.other.svc, not claimbridge.claimbridge-system.svc",
		left: "only who has the key of the CA can make a certificate",
	},
	"an expired certificate": {
		make: func(t *testing.T, i *installation) {
			i.change(t, theSecret, func() { theSecret.Data[corev1.TLSCertKey], _ = i.authority.leaf(t, expired, dnsName) })
		},
		want: []string{"problem certificate-is-current Secret claimbridge-system/claimbridge-tls"},
		says: "the certificate that is served expired on ",
		left: "only who has the key of the CA can make a certificate",
	},
	"a certificate that nobody renews": {
		make: func(t *testing.T, i *installation) {
			i.change(t, theSecret, func() { theSecret.Data[corev1.TLSCertKey], _ = i.authority.leaf(t, nearlyOut, dnsName) })
		},
		want: []string{"warning certificate-is-current Secret claimbridge-system/claimbridge-tls"},
		says: "and has not been replaced",
		left: "only who has the key of the CA can make a certificate",
	},
	"no certificate": {
		make: func(t *testing.T, i *installation) { i.remove(t, theSecret) },
		want: []string{"problem certificate-secret-is-filled Secret claimbridge-system/claimbridge-tls"},
		says: "does not exist, but the Deployment names it",
		left: "only who has the key of the CA can make a certificate",
	},
	"no certificate, and no cert-manager that would make it": {
		make: func(t *testing.T, i *installation) {
			i.remove(t, theSecret)
			i.change(t, theJudge, func() {
				theJudge.Annotations = map[string]string{"cert-manager.io/inject-ca-from": namespace + "/claimbridge-tls"}
			})
		},
		want: []string{"problem certificate-secret-is-filled Secret claimbridge-system/claimbridge-tls"},
		says: "cert-manager is not in this cluster: install it and apply the manifests again, or apply them with --certificates=self",
		left: "then the server makes a CA, in a pod",
	},
	"a URL without CA": {
		make: func(t *testing.T, i *installation) {
			i.callByURL(t, i.address.String())
			i.change(t, theDefinition, func() { theDefinition.Spec.Conversion.Webhook.ClientConfig.CABundle = nil })
		},
		want: []string{"problem certificate-is-trusted" + claims},
	},
	"a CA that replicas share, which is no fault": {
		make: func(t *testing.T, i *installation) { i.shareCA(t, i.authority.pem) },
	},
	"a CA that replicas share, but nobody trusts": {
		make: func(t *testing.T, i *installation) { i.shareCA(t, newAuthority(t, fresh).pem) },
		want: []string{"problem certificate-is-trusted" + claims, "problem certificate-is-trusted" + templates, "problem certificate-is-trusted" + defaulter, "problem certificate-is-trusted" + judge},
		says: "it is not signed by any CA of the bundle",
		left: "the server writes it, in a pod",
	},
	"a CA that replicas share, but nobody has made": {
		make: func(t *testing.T, i *installation) { i.shareCA(t, nil) },
		want: []string{"problem certificate-secret-is-filled Secret claimbridge-system/claimbridge-ca"},
		says: "has no certificate under tls.crt",
		left: "the server writes it, in a pod",
	},
}

// shareCA as the manifests for certificates of the server's own do.
func (i *installation) shareCA(t *testing.T, ca []byte) {
	t.Helper()
	secret := &corev1.Secret{
		ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: "claimbridge-ca"}, Type: corev1.SecretTypeOpaque,
		Data: map[string][]byte{corev1.TLSCertKey: ca, corev1.TLSPrivateKeyKey: nil},
	}
	must.Do(t, i.Create(context.Background(), secret))
	i.remove(t, theSecret)
	i.grantOwn(t)
	i.change(t, theDeployment, func() {
		pod := &theDeployment.Spec.Template.Spec
		pod.Volumes, pod.Containers[0].VolumeMounts = nil, nil
		pod.Containers[0].Args = []string{"serve", "--certificate-secret=$(POD_NAMESPACE)/claimbridge-ca"}
	})
}

// grantOwn rights of a server that is its own CA.
func (i *installation) grantOwn(t *testing.T) {
	t.Helper()
	for _, object := range i.own(t) {
		if _, secret := object.(*corev1.Secret); secret {
			continue
		}
		must.Do(t, i.Create(context.Background(), object))
	}
}

// withoutOwn Secret and rights, which a remedy may have installed.
func (i *installation) withoutOwn(t *testing.T) {
	t.Helper()
	for _, object := range i.own(t) {
		if err := i.Delete(context.Background(), object); client.IgnoreNotFound(err) != nil {
			t.Fatal(err)
		}
	}
}

// own objects of an installation that is its own CA, which others do not have.
func (i *installation) own(t *testing.T) (objects []client.Object) {
	t.Helper()
	manifests := must.Get(config.Manifests(config.Options{Group: i.group, Certificates: config.Self, Only: config.ServerPart}))(t)
	for _, object := range parse(t, manifests) {
		if kind := object.GetObjectKind().GroupVersionKind().Kind; object.GetName() == name && strings.Contains(kind, "Role") {
			objects = append(objects, object)
		}
	}
	return append(objects, &corev1.Secret{ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: "claimbridge-ca"}})
}
