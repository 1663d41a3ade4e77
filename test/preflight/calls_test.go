//go:build e2e

package preflight

import (
	"context"
	"crypto/tls"
	"encoding/base64"
	"fmt"
	"net"
	"net/http/httptest"
	"testing"

	"k8s.io/apiextensions-apiserver/pkg/apihelpers"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
	"sigs.k8s.io/controller-runtime/pkg/webhook/admission"

	"github.com/claimbridge/claimbridge/test/testkit/await"
	"github.com/claimbridge/claimbridge/test/testkit/must"
)

// blocker keeps what is deleted from going away.
const blocker = "example.com/test"

// calls that faults make where patches are not enough.
var calls = map[string]func(t *testing.T, i *installation){
	"a definition with a blank CA": func(t *testing.T, i *installation) {
		// An API server takes no bad bundle in place of a good one, only in a definition that is new.
		blank := object("claims")
		must.Do(t, i.Get(context.Background(), client.ObjectKeyFromObject(blank), blank))
		blank.SetResourceVersion("")
		blank.SetUID("")
		must.Do(t,
			unstructured.SetNestedField(blank.Object, "Cg==", "spec", "conversion", "webhook", "clientConfig",
				"caBundle"))
		i.remove(t, "claims")
		must.Do(t, i.Create(context.Background(), blank))
		i.accepts(t, blank.GetName(), apiextensionsv1.ConditionTrue)
	},
	"templates after things that have their names": func(t *testing.T, i *installation) {
		i.accepts(t, "things.resource.k8s.io", apiextensionsv1.ConditionTrue)
		for _, o := range i.objects {
			if o.GetName() == the["templates"].name {
				must.Do(t, i.put(o))
			}
		}
		i.accepts(t, the["templates"].name, apiextensionsv1.ConditionFalse)
	},
	"a finalizer of somebody": func(t *testing.T, i *installation) {
		await.NoError(t, "have a finalizer", func() error {
			o := object("templates")
			if err := i.Get(context.Background(), client.ObjectKeyFromObject(o), o); err != nil {
				return err
			}
			controllerutil.AddFinalizer(o, blocker)
			return i.Update(context.Background(), o)
		})
		t.Cleanup(func() { i.patch(t, "templates", operation{Op: "remove", Path: "/metadata/finalizers"}) })
	},
	"a StorageVersionMigration that failed": func(t *testing.T, i *installation) {
		failed := apiextensionsv1.CustomResourceDefinitionCondition{
			Type: apiextensionsv1.StorageMigrating, Status: apiextensionsv1.ConditionFalse,
			Reason: "MigrationFailed", Message: "The migration has failed", LastTransitionTime: metav1.Now(),
		}
		i.changeStatus(t, "claims", func(crd *apiextensionsv1.CustomResourceDefinition) {
			apihelpers.SetCRDCondition(crd, failed)
		})
		t.Cleanup(func() {
			i.changeStatus(t, "claims", func(crd *apiextensionsv1.CustomResourceDefinition) {
				apihelpers.RemoveCRDCondition(crd, failed.Type)
			})
		})
	},
	"conversion by the URL of the server": func(t *testing.T, i *installation) {
		i.callByURL(t, "claims", i.address.String(), "/convert")
	},
	"conversion by a URL where nobody is": func(t *testing.T, i *installation) {
		i.callByURL(t, "claims", "127.0.0.1:1", "/convert")
	},
	"the account is held":            func(t *testing.T, i *installation) { i.holdAccount(t) },
	"nothing is stored":              func(t *testing.T, i *installation) { i.forget(t) },
	"claims are accepted afterwards": func(t *testing.T, i *installation) { i.acceptedAfter(t) },
	"new connections":                func(t *testing.T, i *installation) { i.reconnect(t) },
	"an address that cannot be reached": func(t *testing.T, i *installation) {
		i.moveTo(t, &net.TCPAddr{IP: net.IPv4(198, 51, 100, 1), Port: 9443})
	},
	"endpoints of another server": func(t *testing.T, i *installation) {
		i.moveTo(t, i.answering(t, "another", dnsName, admission.Allowed("")))
	},
	"endpoints of a server of another group": func(t *testing.T, i *installation) {
		other := *i
		other.group = "claims.example.com"
		var key []byte
		other.certificate, key = i.leaf(t, "ours", "", dnsName, machine(t))
		i.moveTo(t, other.serve(t, key))
	},
	"endpoints where nobody listens": func(t *testing.T, i *installation) {
		i.moveTo(t, &net.TCPAddr{IP: net.ParseIP(machine(t)), Port: 1})
	},
	"a claim that does not convert on the second page": func(t *testing.T, i *installation) {
		const claim = `{"apiVersion":"resource.k8s.io/v1","kind":"ResourceClaim","metadata":{"namespace":"default",` +
			`"name":"%s","uid":"7b1f0b9e-3c1e-4a83-9a5a-2a2f6f1a3d10","creationTimestamp":"2026-01-01T00:00:00Z"},` +
			`"spec":{"devices":{"requests":[{"name":%s,"exactly":{"deviceClassName":"gpu.example.com"}}]}}}`
		var many []string
		for n := range 501 {
			many = append(many, fmt.Sprintf("many-%03d", n))
		}
		i.store(t, many, fmt.Sprintf(claim, "%s", `"gpu"`))
		i.store(t, []string{"poison"}, fmt.Sprintf(claim, "%s", "1"))
	},
	"a server that says yes to everything": func(t *testing.T, i *installation) {
		address := i.answering(t, "ours", machine(t), admission.Allowed("")).String()
		i.callByURL(t, "validator", address, "/validate")
		i.callByURL(t, "defaulter", address, "/default")
	},
	"a webhook that cannot be called": func(t *testing.T, i *installation) {
		i.create(t, foreign(`{url: "https://127.0.0.1:1/"}`))
	},
	"a webhook that says no": func(t *testing.T, i *installation) {
		address := i.answering(t, "ours", machine(t), admission.Denied("no, no"))
		i.acceptedAfter(t)
		i.create(t,
			foreign(fmt.Sprintf(`{url: "https://%s/", caBundle: %s}`, address,
				base64.StdEncoding.EncodeToString(i.authority.Certificate))))
	},
}

// foreign webhook on claims.
func foreign(config string) string {
	return `
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingWebhookConfiguration
metadata: {name: other}
webhooks:
- name: other.example.com
  admissionReviewVersions: [v1]
  sideEffects: None
  rules: [{apiGroups: [resource.k8s.io], apiVersions: ["*"], operations: ["*"], resources: ["*"]}]
  clientConfig: ` + config + "\n"
}

// changeStatus of a definition.
func (i *installation) changeStatus(
	t *testing.T, called string, change func(*apiextensionsv1.CustomResourceDefinition),
) {
	t.Helper()
	await.NoError(t, "change the status of "+called, func() error {
		var crd apiextensionsv1.CustomResourceDefinition
		if err := i.Get(context.Background(), client.ObjectKeyFromObject(object(called)), &crd); err != nil {
			return err
		}
		change(&crd)
		return i.Status().Update(context.Background(), &crd)
	})
}

// callByURL instead of by a Service.
func (i *installation) callByURL(t *testing.T, caller, address, path string) {
	t.Helper()
	i.patch(t, caller, operation{Op: "remove", Path: clientConfig(caller) + "/service"},
		operation{Op: "add", Path: clientConfig(caller) + "/url", Value: "https://" + address + path})
}

// accepts the names of a definition, or does not.
func (i *installation) accepts(t *testing.T, definition string, want apiextensionsv1.ConditionStatus) {
	t.Helper()
	await.NoError(t, "accept names", func() error {
		var d apiextensionsv1.CustomResourceDefinition
		if err := i.Get(context.Background(), client.ObjectKey{Name: definition}, &d); err != nil {
			return err
		}
		if !apihelpers.IsCRDConditionPresentAndEqual(&d, apiextensionsv1.NamesAccepted, want) {
			return fmt.Errorf("that names are accepted is not %s", want)
		}
		return nil
	})
}

// acceptedAfter what is created next is gone.
func (i *installation) acceptedAfter(t *testing.T) {
	t.Helper()
	t.Cleanup(func() { await.NoError(t, "accept a claim", i.try) })
}

// try to create a claim.
func (i *installation) try() error {
	claim := i.objects[len(i.objects)-2].DeepCopyObject().(client.Object)
	claim.SetName("try")
	return i.Create(context.Background(), claim, client.DryRunAll)
}

// moveTo another address, over new connections: API servers keep those that they have.
func (i *installation) moveTo(t *testing.T, address *net.TCPAddr) {
	t.Helper()
	o := endpoints(address)
	i.patch(t, "endpoints", operation{
		Op: "replace", Path: "/endpoints", Value: o.Endpoints,
	}, operation{Op: "replace", Path: "/ports", Value: o.Ports})
	i.reconnect(t)
}

// reconnect by another bundle, with which an API server makes a new client.
func (i *installation) reconnect(t *testing.T) {
	t.Helper()
	bundle := i.bundle(t, "ours", "another")
	for _, caller := range callers {
		i.trust(t, caller, bundle)
	}
}

// answering server, which says the same to every review, with a certificate by an authority for a name.
func (i *installation) answering(t *testing.T, by, name string, answer admission.Response) *net.TCPAddr {
	t.Helper()
	certificate, key := i.leaf(t, by, "", name)
	pair := must.Get(tls.X509KeyPair(certificate, key))(t)
	listener := must.Get(net.Listen("tcp", net.JoinHostPort(machine(t), "0")))(t)
	server := httptest.NewUnstartedServer(&admission.Webhook{
		Handler: admission.HandlerFunc(func(context.Context, admission.Request) admission.Response { return answer }),
	})
	_ = server.Listener.Close()
	server.Listener, server.TLS = listener, &tls.Config{Certificates: []tls.Certificate{pair}}
	server.StartTLS()
	t.Cleanup(server.Close)
	return listener.Addr().(*net.TCPAddr)
}
