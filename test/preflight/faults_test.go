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

// fault is a state of a cluster that should not be, and what preflight says about it. Those of
// testdata/faults have a file for each theme.
type fault struct {
	Do []step
	// Want is what is found: state, check, and how the reason begins: with an object, which may be one that has a name
	// here.
	Want []string
	// Says is part of what a finding says.
	Says string

	skip    []string      // checks
	timeout time.Duration // for the reading of claims
}

// step towards a fault: one of these.
type step struct {
	Remove []string
	// Patch objects, by JSON patches. A version of a definition is named, where they want its number.
	Patch map[string][]operation
	// Status of objects, by merge patches.
	Status map[string]map[string]any
	// Create objects, in YAML, until the fault is over.
	Create string
	// Bundle of what calls the server, of authorities.
	Bundle map[string][]string
	// Certificate in the Secret, signed for a name.
	Certificate *struct{ By, For, Lives string }
	// Share the CA of an authority, or an empty Secret, as the manifests for certificates of the server's own do.
	Share string
	// Refused is the text of the error with which claims are rejected from then on: an API server needs a moment for its
	// policies and webhooks.
	Refused string
	// Call what takes more than objects.
	Call string
}

type operation struct {
	Op    string `json:"op"`
	Path  string `json:"path"`
	From  string `json:"from,omitempty"`
	Value any    `json:"value,omitempty"`
}

// the objects of an installation that faults name.
var the = map[string]struct{ version, kind, namespace, name string }{
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

func object(called string) *unstructured.Unstructured {
	is, o := the[called], &unstructured.Unstructured{}
	o.SetAPIVersion(is.version)
	o.SetKind(is.kind)
	o.SetNamespace(is.namespace)
	o.SetName(is.name)
	return o
}

// callers of the server.
var callers = []string{"claims", "templates", "validator", "defaulter"}

func faults(t *testing.T) map[string]fault {
	t.Helper()
	all := map[string]fault{}
	for _, file := range must.Get(filepath.Glob("testdata/faults/*.yaml"))(t) {
		var of map[string]fault
		must.Do(t, yaml.UnmarshalStrict(must.Get(os.ReadFile(file))(t), &of))
		for name, f := range of {
			if _, twice := all[name]; twice {
				t.Fatalf("%s: duplicate %s", file, name)
			}
			all[name] = f
		}
	}
	for _, f := range all {
		for n, want := range f.Want {
			at := strings.LastIndex(want, " ") + 1
			if is, named := the[want[at:]]; named {
				f.Want[n] = want[:at] + is.kind + " " + strings.TrimPrefix(is.namespace+"/"+is.name, "/")
			}
		}
		slices.Sort(f.Want)
	}
	return all
}

// make a fault.
func (i *installation) make(t *testing.T, f fault) {
	t.Helper()
	for _, s := range f.Do {
		i.remove(t, s.Remove...)
		for called, operations := range s.Patch {
			i.patch(t, called, operations...)
		}
		for called, status := range s.Status {
			i.status(t, object(called), status)
		}
		i.create(t, s.Create)
		for called, authorities := range s.Bundle {
			i.trust(t, called, i.bundle(t, authorities...))
		}
		if c := s.Certificate; c != nil {
			certificate, _ := i.leaf(t, c.By, c.Lives, cmp.Or(c.For, dnsName))
			i.patch(t, "secret", operation{Op: "replace", Path: "/data/" + corev1.TLSCertKey, Value: certificate})
		}
		if s.Share != "" {
			i.shareCA(t, i.bundle(t, s.Share))
		}
		if s.Refused != "" {
			await.NoError(t, "be refused", func() error {
				if err := i.try(); err == nil || !strings.Contains(err.Error(), s.Refused) {
					return fmt.Errorf("not by %q: %w", s.Refused, errNotYet)
				}
				return nil
			})
		}
		if s.Call != "" {
			calls[s.Call](t, i)
		}
	}
}

var ofVersion = regexp.MustCompile(`^/spec/versions/(v\w+)`)

// patch an object.
func (i *installation) patch(t *testing.T, called string, operations ...operation) {
	t.Helper()
	o := object(called)
	if is := the[called]; is.kind == "CustomResourceDefinition" {
		must.Do(t, i.Get(context.Background(), client.ObjectKeyFromObject(o), o))
		versions, _, _ := unstructured.NestedSlice(o.Object, "spec", "versions")
		number := func(path *string) {
			if m := ofVersion.FindStringSubmatch(*path); m != nil {
				at := slices.IndexFunc(versions, func(v any) bool { return v.(map[string]any)["name"] == m[1] })
				*path = fmt.Sprintf("/spec/versions/%d%s", at, (*path)[len(m[0]):])
			}
		}
		operations = slices.Clone(operations)
		for n := range operations {
			number(&operations[n].Path)
			number(&operations[n].From)
		}
	}
	text := must.Get(json.Marshal(operations))(t)
	await.NoError(t, "patch "+called, func() error {
		return i.Patch(context.Background(), object(called), client.RawPatch(types.JSONPatchType, text))
	})
}

// trust a bundle.
func (i *installation) trust(t *testing.T, caller string, bundle []byte) {
	t.Helper()
	i.patch(t, caller, operation{Op: "add", Path: clientConfig(caller) + "/caBundle", Value: bundle})
}

func clientConfig(caller string) string {
	return map[bool]string{
		true:  "/spec/conversion/webhook/clientConfig",
		false: "/webhooks/0/clientConfig",
	}[the[caller].kind == "CustomResourceDefinition"]
}

const day = 24 * time.Hour

// lives of certificates, from now on.
var lives = map[string]certs.Life{
	"": {From: -day, To: 90 * day}, "expired": {From: -90 * day, To: -day},
	"nearly out": {From: -90 * day, To: day},
}

// authorityOf a name: ours, another, or an expired one.
func (i *installation) authorityOf(t *testing.T, called string) *certs.Authority {
	t.Helper()
	if called == "ours" {
		return i.authority
	}
	return certs.New(t, "test CA", lives[strings.TrimPrefix(called, "another")])
}

// bundle of authorities, or of none.
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

// leaf of an authority for the names, as certificate and key.
func (i *installation) leaf(t *testing.T, by, life string, names ...string) (certificate, key []byte) {
	t.Helper()
	pair := i.authorityOf(t, by).Leaf(t, certs.Leaf{
		Name:  "test leaf",
		Hosts: names,
		Usage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
		Life:  lives[life],
	})
	return pair.Certificate, pair.Key
}
