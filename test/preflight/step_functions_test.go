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

// testFinalizer delays the deletion of an object.
const testFinalizer = "example.com/test"

// stepFunctions are steps that need more than patches.
var stepFunctions = map[string]func(t *testing.T, i *installation){
	"a definition with a blank CA": func(t *testing.T, i *installation) {
		// An API server accepts an invalid bundle only in a new definition, not in place of a valid one.
		blank := objectFor("claims")
		must.Do(t, i.Get(context.Background(), client.ObjectKeyFromObject(blank), blank))
		blank.SetResourceVersion("")
		blank.SetUID("")
		must.Do(t,
			unstructured.SetNestedField(blank.Object, "Cg==", "spec", "conversion", "webhook", "clientConfig",
				"caBundle"))
		i.remove(t, "claims")
		must.Do(t, i.Create(context.Background(), blank))
		i.waitForNamesAccepted(t, blank.GetName(), apiextensionsv1.ConditionTrue)
	},
	"templates after a definition that has their names": func(t *testing.T, i *installation) {
		i.waitForNamesAccepted(t, "things.resource.k8s.io", apiextensionsv1.ConditionTrue)
		for _, o := range i.objects {
			if o.GetName() == aliases["templates"].name {
				must.Do(t, i.createOrUpdate(o))
			}
		}
		i.waitForNamesAccepted(t, aliases["templates"].name, apiextensionsv1.ConditionFalse)
	},
	"a finalizer of another controller": func(t *testing.T, i *installation) {
		await.NoError(t, "add a finalizer", func() error {
			o := objectFor("templates")
			if err := i.Get(context.Background(), client.ObjectKeyFromObject(o), o); err != nil {
				return err
			}
			controllerutil.AddFinalizer(o, testFinalizer)
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
		i.callByURL(t, "claims", i.serverAddress.String(), "/convert")
	},
	"conversion by a URL without a server": func(t *testing.T, i *installation) {
		i.callByURL(t, "claims", "127.0.0.1:1", "/convert")
	},
	"a restricted account":           func(t *testing.T, i *installation) { i.restrictServiceAccount(t) },
	"no stored objects":              func(t *testing.T, i *installation) { i.deleteClaimAndTemplate(t) },
	"claims are accepted afterwards": func(t *testing.T, i *installation) { i.waitForClaimsInCleanup(t) },
	"new connections":                func(t *testing.T, i *installation) { i.reconnect(t) },
	"an address that cannot be reached": func(t *testing.T, i *installation) {
		i.moveEndpoints(t, &net.TCPAddr{IP: net.IPv4(198, 51, 100, 1), Port: 9443})
	},
	"endpoints of another server": func(t *testing.T, i *installation) {
		i.moveEndpoints(t, i.startWebhook(t, anotherCA, dnsName, admission.Allowed("")))
	},
	"endpoints of a server of another group": func(t *testing.T, i *installation) {
		certificate, key := i.issueCertificate(t, installedCA, "", dnsName, machineAddress(t))
		address, _ := startClaimbridge(t, "claims.example.com", certificate, key)
		i.moveEndpoints(t, address)
	},
	"endpoints without a server": func(t *testing.T, i *installation) {
		i.moveEndpoints(t, &net.TCPAddr{IP: net.ParseIP(machineAddress(t)), Port: 1})
	},
	"a claim that does not convert on the second page": func(t *testing.T, i *installation) {
		const claim = `{"apiVersion":"resource.k8s.io/v1","kind":"ResourceClaim","metadata":{"namespace":"default",` +
			`"name":"%s","uid":"7b1f0b9e-3c1e-4a83-9a5a-2a2f6f1a3d10","creationTimestamp":"2026-01-01T00:00:00Z"},` +
			`"spec":{"devices":{"requests":[{"name":%s,"exactly":{"deviceClassName":"gpu.example.com"}}]}}}`
		var validNames []string
		for n := range 501 {
			validNames = append(validNames, fmt.Sprintf("many-%03d", n))
		}
		i.storeInEtcd(t, validNames, fmt.Sprintf(claim, "%s", `"gpu"`))
		i.storeInEtcd(t, []string{"poison"}, fmt.Sprintf(claim, "%s", "1"))
	},
	"a server that allows everything": func(t *testing.T, i *installation) {
		address := i.startWebhook(t, installedCA, machineAddress(t), admission.Allowed("")).String()
		i.callByURL(t, "validator", address, "/validate")
		i.callByURL(t, "defaulter", address, "/default")
	},
	"a webhook that cannot be called": func(t *testing.T, i *installation) {
		i.createYAML(t, otherWebhook(`{url: "https://127.0.0.1:1/"}`))
	},
	"a webhook that denies": func(t *testing.T, i *installation) {
		address := i.startWebhook(t, installedCA, machineAddress(t), admission.Denied("no, no"))
		i.waitForClaimsInCleanup(t)
		i.createYAML(t,
			otherWebhook(fmt.Sprintf(`{url: "https://%s/", caBundle: %s}`, address,
				base64.StdEncoding.EncodeToString(i.authority.Certificate))))
	},
}

// otherWebhook returns the configuration of a validating webhook for claims that is not claimbridge's.
func otherWebhook(clientConfig string) string {
	return `
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingWebhookConfiguration
metadata: {name: other}
webhooks:
- name: other.example.com
  admissionReviewVersions: [v1]
  sideEffects: None
  rules: [{apiGroups: [resource.k8s.io], apiVersions: ["*"], operations: ["*"], resources: ["*"]}]
  clientConfig: ` + clientConfig + "\n"
}

// changeStatus changes the status of a definition.
func (i *installation) changeStatus(
	t *testing.T, alias string, change func(*apiextensionsv1.CustomResourceDefinition),
) {
	t.Helper()
	await.NoError(t, "change the status of "+alias, func() error {
		var crd apiextensionsv1.CustomResourceDefinition
		if err := i.Get(context.Background(), client.ObjectKeyFromObject(objectFor(alias)), &crd); err != nil {
			return err
		}
		change(&crd)
		return i.Status().Update(context.Background(), &crd)
	})
}

// callByURL makes a caller use a URL instead of a Service.
func (i *installation) callByURL(t *testing.T, caller, address, path string) {
	t.Helper()
	i.patch(t, caller, operation{Op: "remove", Path: clientConfigPath(caller) + "/service"},
		operation{Op: "add", Path: clientConfigPath(caller) + "/url", Value: "https://" + address + path})
}

// waitForNamesAccepted waits until the condition NamesAccepted of a definition has a status.
func (i *installation) waitForNamesAccepted(t *testing.T, definition string, want apiextensionsv1.ConditionStatus) {
	t.Helper()
	await.NoError(t, "the condition NamesAccepted of "+definition, func() error {
		var crd apiextensionsv1.CustomResourceDefinition
		if err := i.Get(context.Background(), client.ObjectKey{Name: definition}, &crd); err != nil {
			return err
		}
		if !apihelpers.IsCRDConditionPresentAndEqual(&crd, apiextensionsv1.NamesAccepted, want) {
			return fmt.Errorf("conditions: got %+v, want NamesAccepted=%s", crd.Status.Conditions, want)
		}
		return nil
	})
}

// waitForClaimsInCleanup waits in the cleanup until claims are accepted again. Cleanups run in reverse order, so
// objects that are created later are deleted before.
func (i *installation) waitForClaimsInCleanup(t *testing.T) {
	t.Helper()
	t.Cleanup(func() { await.NoError(t, "accept a claim", i.createDryRun) })
}

// createDryRun creates a claim as a dry run.
func (i *installation) createDryRun() error {
	claim := i.claimAndTemplate()[0].DeepCopyObject().(client.Object)
	claim.SetName("try")
	return i.Create(context.Background(), claim, client.DryRunAll)
}

// moveEndpoints moves the endpoints to another address, and makes the API server open new connections.
func (i *installation) moveEndpoints(t *testing.T, address *net.TCPAddr) {
	t.Helper()
	slice := newEndpointSlice(address)
	i.patch(t, "endpoints",
		operation{Op: "replace", Path: "/endpoints", Value: slice.Endpoints},
		operation{Op: "replace", Path: "/ports", Value: slice.Ports})
	i.reconnect(t)
}

// reconnect changes the CA bundles, so that the API server creates new clients.
func (i *installation) reconnect(t *testing.T) {
	t.Helper()
	bundle := i.caBundle(t, installedCA, anotherCA)
	for _, caller := range callers {
		i.setCABundle(t, caller, bundle)
	}
}

// startWebhook starts a webhook that returns the same response to all reviews. An authority signs its certificate for a
// host.
func (i *installation) startWebhook(t *testing.T, authority, host string, response admission.Response) *net.TCPAddr {
	t.Helper()
	certificate, key := i.issueCertificate(t, authority, "", host)
	pair := must.Get(tls.X509KeyPair(certificate, key))(t)
	listener := must.Get(net.Listen("tcp", net.JoinHostPort(machineAddress(t), "0")))(t)
	server := httptest.NewUnstartedServer(&admission.Webhook{
		Handler: admission.HandlerFunc(func(context.Context, admission.Request) admission.Response { return response }),
	})
	_ = server.Listener.Close()
	server.Listener, server.TLS = listener, &tls.Config{Certificates: []tls.Certificate{pair}}
	server.StartTLS()
	t.Cleanup(server.Close)
	return listener.Addr().(*net.TCPAddr)
}
