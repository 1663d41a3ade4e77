//go:build node && aggregated

package webhook

import (
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"net"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/claimbridge/claimbridge/test/node/image"
)

// TestAggregated installs the aggregated API server by its page, with certificates of cert-manager, which renews them while somebody calls.
func TestAggregated(t *testing.T) {
	t.Parallel()
	c := start(t)
	c.addCertManager(t)
	archive, _, err := image.APIServer(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Load(t.Context(), archive); err != nil {
		t.Fatal(err)
	}
	const self = " --certificates=self"
	begun, commands := time.Now(), chapter(t, "aggregated.md", "Quick start")[1]
	if strings.Count(commands, self) != 1 {
		t.Fatalf("the page has no command to leave %s out of:\n%s", self, commands)
	}
	const get = "kubectl get resourceclaims"
	install, look, found := strings.Cut(strings.Replace(commands, self, "", 1), get)
	if !found {
		t.Fatalf("the page has no %s:\n%s", get, commands)
	}
	said := c.shell(t, install)
	known := ""
	await(t, "kubectl knows the version", func() bool { // some time after it is available
		output, err := c.try(t.Context(), t.TempDir(), get+look)
		if err != nil && output != known {
			t.Log(output)
			known = output
		}
		return err == nil
	})
	if !strings.Contains(said, "no problems found") {
		t.Errorf("the installation ends with:\n%s", said)
	}
	t.Logf("the aggregated API server was installed and looked at in %s", since(begun))

	calls := c.callAggregated(t)
	served := c.leaves(t, c.bundle(t, nil))
	for _, name := range []string{"claimbridge-apiserver-ca", "claimbridge-apiserver-tls"} {
		c.renew(t, name)
	}
	begun = time.Now()
	authority := c.secret(t, "claimbridge-apiserver-ca")["tls.crt"]
	c.bundle(t, authority)
	t.Logf("cainjector had the new CA in both APIServices after %s more", since(begun))
	await(t, "every pod serves another certificate, by the new CA", func() bool {
		now := c.leaves(t, authority)
		for pod, serial := range served {
			if now[pod] == "" || now[pod] == serial {
				return false
			}
		}
		return len(now) == len(served)
	})
	t.Logf("both pods served their new certificates after %s", since(begun))
	calls(250) // more that trust the new ones alone
}

// callAggregated in v1beta1 until so many more calls are answered as the function is told that it gives: no call may have failed.
func (c *cluster) callAggregated(t *testing.T) (end func(more int64)) {
	t.Helper()
	ctx, stop := context.WithCancel(context.WithoutCancel(t.Context()))
	var ended sync.WaitGroup
	var answered atomic.Int64
	failed := []string{}
	ended.Go(func() {
		for ; ctx.Err() == nil; time.Sleep(20 * time.Millisecond) {
			err := c.core.CoreV1().RESTClient().Get().AbsPath("/apis/resource.k8s.io/v1beta1/resourceclaims").MaxRetries(0).Do(context.WithoutCancel(ctx)).Error()
			if err != nil {
				failed = append(failed, err.Error())
			} else {
				answered.Add(1)
			}
		}
	})
	finish := sync.OnceFunc(func() { stop(); ended.Wait() })
	t.Cleanup(finish)
	return func(more int64) {
		wanted := answered.Load() + more
		await(t, "calls are answered", func() bool { return answered.Load() >= wanted })
		finish()
		t.Logf("meanwhile %d calls in v1beta1 were answered, and %d failed", answered.Load(), len(failed))
		if len(failed) > 0 {
			t.Errorf("calls failed: %q", failed)
		}
	}
}

// bundle that both APIServices have, with what is wanted, or any. cainjector keeps the CA that was there beside the new one.
func (c *cluster) bundle(t *testing.T, want []byte) (bundle []byte) {
	t.Helper()
	resource := schema.GroupVersionResource{Group: "apiregistration.k8s.io", Version: "v1", Resource: "apiservices"}
	await(t, "cainjector writes the bundle", func() bool {
		list, err := c.dynamic.Resource(resource).List(t.Context(), metav1.ListOptions{LabelSelector: "app.kubernetes.io/name=claimbridge-apiserver"})
		if err != nil || len(list.Items) != 2 {
			t.Fatal(list, err)
		}
		for _, o := range list.Items {
			var service struct{ Spec struct{ CABundle []byte } }
			if text, err := o.MarshalJSON(); err != nil || json.Unmarshal(text, &service) != nil {
				t.Fatal(err)
			}
			bundle = service.Spec.CABundle
			if len(bundle) == 0 || !bytes.Contains(bundle, bytes.TrimSpace(want)) {
				return false
			}
		}
		return true
	})
	return bundle
}

func (c *cluster) secret(t *testing.T, name string) map[string][]byte {
	t.Helper()
	secret, err := c.core.CoreV1().Secrets(namespace).Get(t.Context(), name, metav1.GetOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return secret.Data
}

// renew a certificate as cmctl renew does, and wait for the next one.
func (c *cluster) renew(t *testing.T, name string) {
	t.Helper()
	before := c.secret(t, name)["tls.crt"]
	certificates := c.dynamic.Resource(schema.GroupVersionResource{Group: "cert-manager.io", Version: "v1", Resource: "certificates"}).Namespace(namespace)
	await(t, "cert-manager is told to renew "+name, func() bool {
		certificate, err := certificates.Get(t.Context(), name, metav1.GetOptions{})
		if err != nil {
			t.Fatal(err)
		}
		conditions, _, err := unstructured.NestedSlice(certificate.Object, "status", "conditions")
		if err != nil {
			t.Fatal(err)
		}
		conditions = append(conditions, map[string]any{
			"type": "Issuing", "status": string(corev1.ConditionTrue), "reason": "ManuallyTriggered", "message": "Certificate re-issuance manually triggered",
			"lastTransitionTime": time.Now().UTC().Format(time.RFC3339), "observedGeneration": certificate.GetGeneration(),
		})
		if err := unstructured.SetNestedSlice(certificate.Object, conditions, "status", "conditions"); err != nil {
			t.Fatal(err)
		}
		_, err = certificates.UpdateStatus(t.Context(), certificate, metav1.UpdateOptions{})
		return err == nil // or somebody else was faster
	})
	await(t, name+" is another", func() bool { return !bytes.Equal(c.secret(t, name)["tls.crt"], before) })
}

// leaves that pods serve and that are trusted by a bundle, by their serial numbers.
func (c *cluster) leaves(t *testing.T, bundle []byte) map[string]string {
	t.Helper()
	list, err := c.core.CoreV1().Pods(namespace).List(t.Context(), metav1.ListOptions{LabelSelector: "app.kubernetes.io/name=claimbridge-apiserver"})
	if err != nil || len(list.Items) != 2 {
		t.Fatal(list, err)
	}
	roots := x509.NewCertPool()
	roots.AppendCertsFromPEM(bundle)
	serials := map[string]string{}
	for _, p := range list.Items {
		ctx, stop := context.WithTimeout(t.Context(), patience)
		dialer := tls.Dialer{Config: &tls.Config{RootCAs: roots, ServerName: "claimbridge-apiserver." + namespace + ".svc", MinVersion: tls.VersionTLS13}}
		connection, err := dialer.DialContext(ctx, "tcp", net.JoinHostPort(p.Status.PodIP, "8443"))
		stop()
		if err != nil {
			t.Fatalf("%s: %v", p.Name, err)
		}
		if secure, ok := connection.(*tls.Conn); ok {
			serials[p.Name] = secure.ConnectionState().PeerCertificates[0].SerialNumber.String()
		}
		_ = connection.Close()
	}
	return serials
}
