//go:build e2e

package certificates

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/claimbridge/claimbridge/config"
	"github.com/claimbridge/claimbridge/test/testkit/await"
	"github.com/claimbridge/claimbridge/test/testkit/certs"
	"github.com/claimbridge/claimbridge/test/testkit/must"
	"github.com/claimbridge/claimbridge/webhook"
	"github.com/claimbridge/claimbridge/webhook/certificates"
)

// volatile parts of what an API server says, and what the documentation has in their place.
var volatile = []struct {
	pattern *regexp.Regexp
	text    string
}{
	{regexp.MustCompile(`current time \S+ is after \S+`), "current time T is after T"},
	{regexp.MustCompile(`(127\.0\.0\.1|\[::1\]):\d+`), "10.96.0.10:443"},
	{regexp.MustCompile(`\.svc:\d+`), ".svc:443"},
	{regexp.MustCompile(`(127\.0\.0\.1|\[::1\]):\d+->`), "10.0.0.1:1->"},
	{regexp.MustCompile(`(users|other)\.example\.com`), "resource.k8s.io"},
	{regexp.MustCompile(`claimbridge\.users\.`), "claimbridge.claimbridge-system."},
}

// TestTroubleshootingHasTheWordsThatUsersSee brings about what the documentation explains, and looks there for what the API
// server says then.
func TestTroubleshootingHasTheWordsThatUsersSee(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: it is about a page")
	}
	t.Parallel()
	page := must.Get(os.ReadFile(filepath.Join("..", "..", "docs", "troubleshooting.md")))(t)
	i := install(t, "users", config.Files)
	ca := certs.New(t, "ca", certs.Day)
	m := newMount(t, serving(t, ca, i.dnsName()))
	r := i.startReplica(t, webhook.Options{Certificates: certificates.Folder(m.folder)})
	serve := func(data map[string][]byte) {
		m.write(t, data)
		await.That(t, "it is served", func() bool { return r.serves(t, data["tls.crt"]) })
	}
	read := func() error {
		_, err := cluster.dynamic.Resource(i.claims("v1alpha1")).Namespace(i.name).Get(t.Context(), "a", metav1.GetOptions{})
		return err
	}
	write := func() error {
		_, err := cluster.dynamic.Resource(i.claims("v1")).Namespace(i.name).Create(t.Context(), i.newClaim("b"), metav1.CreateOptions{DryRun: []string{"All"}})
		return err
	}
	turns := 0
	healthy := func() { // and connections are made anew, since a bundle with another end is another one
		turns++
		i.setBundle(t, append(ca.Certificate, strings.Repeat("\n", turns)...))
	}
	patchCRD := func(content string) error {
		_, err := cluster.dynamic.Resource(crds).Patch(t.Context(), "resourceclaims."+i.group, types.MergePatchType, []byte(content), metav1.PatchOptions{})
		return err
	}
	clientConfig := func(v any) string {
		body, err := json.Marshal(map[string]any{"spec": map[string]any{"conversion": map[string]any{"webhook": map[string]any{"clientConfig": v}}}})
		if err != nil {
			t.Fatal(err)
		}
		return string(body)
	}
	closed := func() int {
		listener := must.Get(net.Listen("tcp", "localhost:0"))(t)
		defer func() { _ = listener.Close() }()
		return listener.Addr().(*net.TCPAddr).Port
	}
	healthy()
	await.NoError(t, "it is ready", func() error { return i.service.isReady(1) })
	await.NoError(t, "it converts", func() error { return i.convertOnce(t) })
	i.createClaim(t, "a")
	await.NoError(t, "it is read", read)

	said := ""
	for _, symptom := range []struct {
		name   string
		cause  func()
		repair func()
		try    func() error
		want   string
	}{
		{"no CA bundle", func() { i.setBundle(t, nil) }, healthy, read, "unknown authority"},
		{"no CA bundle, a write", func() { i.setBundle(t, nil) }, healthy, write, `failed calling webhook "default.claimbridge.dev"`},
		{"a leaf for another name", func() { serve(serving(t, ca, "localhost")); healthy() }, func() { serve(serving(t, ca, i.dnsName())); healthy() }, read, "valid for"},
		{"a leaf that has expired", func() { serve(i.expiredPair(t, ca)); healthy() }, func() { serve(serving(t, ca, i.dnsName())); healthy() }, read, "expired"},
		{"nobody listens", func() {
			must.Do(t, patchCRD(clientConfig(map[string]any{"service": map[string]any{"port": closed()}})))
		}, func() {
			must.Do(t, patchCRD(clientConfig(map[string]any{"service": map[string]any{"port": i.service.port}})))
			await.NoError(t, "it is read again", read)
		}, read, "refused"},
		{"a bundle that is none", func() {}, func() {}, func() error {
			return patchCRD(clientConfig(map[string]any{"caBundle": base64.StdEncoding.EncodeToString([]byte("none"))}))
		}, "caBundle"},
		{"a blank bundle", func() {}, healthy, func() error {
			return errors.Join(patchCRD(clientConfig(map[string]any{"caBundle": "Cg=="})), read())
		}, ""},
		{"no Service", func() {
			healthy()
			must.Do(t, cluster.core.CoreV1().Services(i.name).Delete(t.Context(), "claimbridge", metav1.DeleteOptions{}))
		}, func() {}, read, "not found"},
	} {
		symptom.cause()
		var got error
		await.NoError(t, symptom.name, func() error {
			if got = symptom.try(); got == nil || !strings.Contains(got.Error(), symptom.want) {
				return fmt.Errorf("no %q in %w", symptom.want, got)
			}
			return nil
		})
		text := got.Error()
		for _, v := range volatile {
			text = v.pattern.ReplaceAllString(text, v.text)
		}
		if !strings.Contains(string(page), text) {
			said += fmt.Sprintf("\n%s:\n%s\n", symptom.name, text)
		}
		symptom.repair()
	}
	if said != "" {
		t.Errorf("docs/troubleshooting.md lacks what users see:\n%s", said)
	}
}

// expiredPair was good until a minute ago.
func (i *installation) expiredPair(t *testing.T, ca *certs.Authority) map[string][]byte {
	t.Helper()
	pair := ca.Leaf(t, certs.Leaf{Name: i.dnsName(), Hosts: []string{i.dnsName()}, Life: certs.Life{From: -time.Minute, To: -time.Second}})
	return map[string][]byte{"tls.crt": pair.Certificate, "tls.key": pair.Key}
}
