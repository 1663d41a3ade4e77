//go:build e2e

package preflight

import (
	"bytes"
	"cmp"
	"context"
	"crypto/x509"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/yaml"

	"github.com/claimbridge/claimbridge/test/testkit/await"
	"github.com/claimbridge/claimbridge/test/testkit/certs"
	"github.com/claimbridge/claimbridge/test/testkit/must"
)

// fault is a faulty state of a cluster, with the expected results of preflight. testdata/faults has a file for each
// topic.
type fault struct {
	Do []step
	// Want has the expected results: state, check, and the beginning of the reason, which is an object or its alias.
	Want []string
	// Contains is a part of the text of a result.
	Contains string

	skip    []string      // checks
	timeout time.Duration // for reading claims
}

// step of a fault. One field is set.
type step struct {
	Remove []string
	// Patch patches objects with JSON patches. A version of a definition has its name in place of its index.
	Patch map[string][]operation
	// Status patches the status of objects with merge patches.
	Status map[string]map[string]any
	// Create has objects in YAML, which exist until the fault ends.
	Create string
	// Bundle sets the CA bundles of callers to certificates of authorities.
	Bundle map[string][]string
	// Certificate sets the certificate in the Secret.
	Certificate *struct{ Authority, Host, Validity string }
	// Share stores the CA of an authority, or none, in a Secret, like the manifests for self-signed certificates.
	Share string
	// Rejected waits until claims are rejected with an error that contains the text: an API server needs a moment for
	// its policies and webhooks.
	Rejected string
	// Call is the name of one of calls.
	Call string
}

type operation struct {
	Op    string `json:"op"`
	Path  string `json:"path"`
	From  string `json:"from,omitempty"`
	Value any    `json:"value,omitempty"`
}

// aliases are the names of an installation's objects in faults.
var aliases = map[string]struct{ version, kind, namespace, name string }{
	"claims":     {"apiextensions.k8s.io/v1", "CustomResourceDefinition", "", "resourceclaims." + group},
	"templates":  {"apiextensions.k8s.io/v1", "CustomResourceDefinition", "", "resourceclaimtemplates." + group},
	"validator":  {"admissionregistration.k8s.io/v1", "ValidatingWebhookConfiguration", "", name},
	"defaulter":  {"admissionregistration.k8s.io/v1", "MutatingWebhookConfiguration", "", name},
	"service":    {"v1", "Service", namespace, name},
	"endpoints":  {"discovery.k8s.io/v1", "EndpointSlice", namespace, name},
	"deployment": {"apps/v1", "Deployment", namespace, name},
	"secret":     {"v1", "Secret", namespace, "claimbridge-tls"},
	"quota":      {"v1", "ResourceQuota", "default", "none"},
}

func object(alias string) *unstructured.Unstructured {
	a, o := aliases[alias], &unstructured.Unstructured{}
	o.SetAPIVersion(a.version)
	o.SetKind(a.kind)
	o.SetNamespace(a.namespace)
	o.SetName(a.name)
	return o
}

// callers of the server.
var callers = []string{"claims", "templates", "validator", "defaulter"}

func faults(t *testing.T) map[string]fault {
	t.Helper()
	all := map[string]fault{}
	for _, file := range must.Get(filepath.Glob("testdata/faults/*.yaml"))(t) {
		var inFile map[string]fault
		must.Do(t, yaml.UnmarshalStrict(must.Get(os.ReadFile(file))(t), &inFile))
		for name, f := range inFile {
			if _, isDuplicate := all[name]; isDuplicate {
				t.Fatalf("%s: duplicate %s", file, name)
			}
			all[name] = f
		}
	}
	for _, f := range all {
		for n, want := range f.Want {
			at := strings.LastIndex(want, " ") + 1
			if a, isAlias := aliases[want[at:]]; isAlias {
				f.Want[n] = want[:at] + a.kind + " " + strings.TrimPrefix(a.namespace+"/"+a.name, "/")
			}
		}
		slices.Sort(f.Want)
	}
	return all
}

// cause causes a fault.
func (i *installation) cause(t *testing.T, f fault) {
	t.Helper()
	for _, s := range f.Do {
		i.remove(t, s.Remove...)
		for alias, operations := range s.Patch {
			i.patch(t, alias, operations...)
		}
		for alias, status := range s.Status {
			i.patchStatus(t, object(alias), status)
		}
		i.create(t, s.Create)
		for caller, authorities := range s.Bundle {
			i.trust(t, caller, i.bundle(t, authorities...))
		}
		if c := s.Certificate; c != nil {
			certificate, _ := i.leaf(t, c.Authority, c.Validity, cmp.Or(c.Host, dnsName))
			i.patch(t, "secret", operation{Op: "replace", Path: "/data/" + corev1.TLSCertKey, Value: certificate})
		}
		if s.Share != "" {
			i.shareCA(t, i.bundle(t, s.Share))
		}
		if s.Rejected != "" {
			await.NoError(t, "claims are rejected", func() error {
				if err := i.createDryRun(); err == nil || !strings.Contains(err.Error(), s.Rejected) {
					return fmt.Errorf("want the error %q, got %w", s.Rejected, cmp.Or(err, errNotYet))
				}
				return nil
			})
		}
		if s.Call != "" {
			calls[s.Call](t, i)
		}
	}
}

var versionPath = regexp.MustCompile(`^/spec/versions/(v\w+)`)

// patch patches an object.
func (i *installation) patch(t *testing.T, alias string, operations ...operation) {
	t.Helper()
	o := object(alias)
	if aliases[alias].kind == "CustomResourceDefinition" {
		must.Do(t, i.Get(context.Background(), client.ObjectKeyFromObject(o), o))
		versions, _, _ := unstructured.NestedSlice(o.Object, "spec", "versions")
		useIndex := func(path *string) {
			if m := versionPath.FindStringSubmatch(*path); m != nil {
				at := slices.IndexFunc(versions, func(v any) bool { return v.(map[string]any)["name"] == m[1] })
				*path = fmt.Sprintf("/spec/versions/%d%s", at, (*path)[len(m[0]):])
			}
		}
		operations = slices.Clone(operations)
		for n := range operations {
			useIndex(&operations[n].Path)
			useIndex(&operations[n].From)
		}
	}
	text := must.Get(json.Marshal(operations))(t)
	await.NoError(t, "patch "+alias, func() error {
		return i.Patch(context.Background(), object(alias), client.RawPatch(types.JSONPatchType, text))
	})
}

// trust sets the CA bundle of a caller.
func (i *installation) trust(t *testing.T, caller string, bundle []byte) {
	t.Helper()
	i.patch(t, caller, operation{Op: "add", Path: clientConfig(caller) + "/caBundle", Value: bundle})
}

func clientConfig(caller string) string {
	return map[bool]string{
		true:  "/spec/conversion/webhook/clientConfig",
		false: "/webhooks/0/clientConfig",
	}[aliases[caller].kind == "CustomResourceDefinition"]
}

const day = 24 * time.Hour

// validities are the validities of certificates by name.
var validities = map[string]certs.Validity{
	"":           {NotBefore: -day, NotAfter: 90 * day},
	"expired":    {NotBefore: -90 * day, NotAfter: -day},
	"nearly out": {NotBefore: -90 * day, NotAfter: day},
}

// authorityOf returns an authority by its name: ours, another, or the name of a validity.
func (i *installation) authorityOf(t *testing.T, name string) *certs.Authority {
	t.Helper()
	if name == "ours" {
		return i.authority
	}
	return certs.New(t, "test CA", validities[strings.TrimPrefix(name, "another")])
}

// bundle returns the certificates of authorities. The name none is for no certificate.
func (i *installation) bundle(t *testing.T, authorities ...string) []byte {
	t.Helper()
	var all [][]byte
	for _, a := range authorities {
		if a != "none" {
			all = append(all, i.authorityOf(t, a).Certificate)
		}
	}
	return bytes.Join(all, nil)
}

// leaf returns a certificate that an authority signs for names, and its key.
func (i *installation) leaf(t *testing.T, authority, validity string, names ...string) (certificate, key []byte) {
	t.Helper()
	pair := i.authorityOf(t, authority).Leaf(t, certs.Leaf{
		Name:     "test leaf",
		Hosts:    names,
		Usage:    []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
		Validity: validities[validity],
	})
	return pair.Certificate, pair.Key
}
