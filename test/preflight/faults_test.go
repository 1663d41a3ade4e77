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
	Steps []step
	// Want has the expected results: state, check, and the beginning of the reason, which is an object or its alias.
	Want []string
	// Contains is a part of the text of a result.
	Contains string

	skip    []string      // checks that preflight skips
	timeout time.Duration // of reading claims
}

// step is a change that causes a fault. Only one field is set.
type step struct {
	// Remove deletes objects.
	Remove []string
	// Patch patches objects with JSON patches. Paths name a version of a definition, and not its index:
	// /spec/versions/v1/served.
	Patch map[string][]operation
	// Status patches the status of objects with merge patches.
	Status map[string]map[string]any
	// Create has objects in YAML, which exist until the fault ends.
	Create string
	// Bundle sets the CA bundles of callers to certificates of authorities.
	Bundle map[string][]string
	// Certificate sets the certificate in the Secret.
	Certificate *struct{ Authority, Host, Validity string }
	// SharedCA changes to self-signed certificates, with the CA of an authority, or none, in the Secret of the replicas.
	SharedCA string
	// Rejected waits until claims are rejected with an error that contains the text: an API server needs a moment for
	// its policies and webhooks.
	Rejected string
	// Function is the name of one of stepFunctions.
	Function string
}

// operation of a JSON patch.
type operation struct {
	Op    string `json:"op"`
	Path  string `json:"path"`
	From  string `json:"from,omitempty"`
	Value any    `json:"value,omitempty"`
}

// identity of an object.
type identity struct{ apiVersion, kind, namespace, name string }

// reason returns the beginning of the reasons of preflight for the object.
func (o identity) reason() string {
	return o.kind + " " + strings.TrimPrefix(o.namespace+"/"+o.name, "/")
}

// aliases are short names for objects of an installation, in faults.
var aliases = map[string]identity{
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

// objectFor returns an object that has only its kind and its name.
func objectFor(alias string) *unstructured.Unstructured {
	a := aliases[alias]
	o := &unstructured.Unstructured{}
	o.SetAPIVersion(a.apiVersion)
	o.SetKind(a.kind)
	o.SetNamespace(a.namespace)
	o.SetName(a.name)
	return o
}

// callers are the objects by which an API server calls the server.
var callers = []string{"claims", "templates", "validator", "defaulter"}

// readFaults returns the faults in testdata/faults by name.
func readFaults(t *testing.T) map[string]fault {
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
			if o, isAlias := aliases[want[at:]]; isAlias {
				f.Want[n] = want[:at] + o.reason()
			}
		}
		slices.Sort(f.Want)
	}
	return all
}

// cause causes a fault.
func (i *installation) cause(t *testing.T, f fault) {
	t.Helper()
	for _, s := range f.Steps {
		i.remove(t, s.Remove...)
		for alias, operations := range s.Patch {
			i.patch(t, alias, operations...)
		}
		for alias, status := range s.Status {
			i.patchStatus(t, objectFor(alias), status)
		}
		i.createYAML(t, s.Create)
		for caller, authorities := range s.Bundle {
			i.setCABundle(t, caller, i.caBundle(t, authorities...))
		}
		if c := s.Certificate; c != nil {
			certificate, _ := i.issueCertificate(t, c.Authority, c.Validity, cmp.Or(c.Host, dnsName))
			i.patch(t, "secret", operation{Op: "replace", Path: "/data/" + corev1.TLSCertKey, Value: certificate})
		}
		if s.SharedCA != "" {
			i.useSharedCA(t, i.caBundle(t, s.SharedCA))
		}
		if s.Rejected != "" {
			await.NoError(t, "claims are rejected", func() error {
				err := i.createDryRun()
				if err == nil {
					return fmt.Errorf("the claim was accepted, want the error %q", s.Rejected)
				}
				if !strings.Contains(err.Error(), s.Rejected) {
					return fmt.Errorf("want the error %q, got %w", s.Rejected, err)
				}
				return nil
			})
		}
		if s.Function != "" {
			stepFunctions[s.Function](t, i)
		}
	}
}

var versionPath = regexp.MustCompile(`^/spec/versions/(v\w+)`)

// patch patches an object with a JSON patch.
func (i *installation) patch(t *testing.T, alias string, operations ...operation) {
	t.Helper()
	o := objectFor(alias)
	if aliases[alias].kind == "CustomResourceDefinition" {
		must.Do(t, i.Get(context.Background(), client.ObjectKeyFromObject(o), o))
		versions, _, _ := unstructured.NestedSlice(o.Object, "spec", "versions")
		operations = slices.Clone(operations)
		for n, o := range operations {
			operations[n].Path = withVersionIndex(o.Path, versions)
			operations[n].From = withVersionIndex(o.From, versions)
		}
	}
	text := must.Get(json.Marshal(operations))(t)
	await.NoError(t, "patch "+alias, func() error {
		return i.Patch(context.Background(), objectFor(alias), client.RawPatch(types.JSONPatchType, text))
	})
}

// withVersionIndex returns a path with the index of a version in place of its name.
func withVersionIndex(path string, versions []any) string {
	match := versionPath.FindStringSubmatch(path)
	if match == nil {
		return path
	}
	index := slices.IndexFunc(versions, func(v any) bool { return v.(map[string]any)["name"] == match[1] })
	return fmt.Sprintf("/spec/versions/%d%s", index, strings.TrimPrefix(path, match[0]))
}

// setCABundle sets the CA bundle of a caller.
func (i *installation) setCABundle(t *testing.T, caller string, bundle []byte) {
	t.Helper()
	i.patch(t, caller, operation{Op: "add", Path: clientConfigPath(caller) + "/caBundle", Value: bundle})
}

// clientConfigPath returns the path of the WebhookClientConfig of a caller.
func clientConfigPath(caller string) string {
	if aliases[caller].kind == "CustomResourceDefinition" {
		return "/spec/conversion/webhook/clientConfig"
	}
	return "/webhooks/0/clientConfig"
}

const day = 24 * time.Hour

// validities are the validity periods of certificates by name. The default has no name.
var validities = map[string]certs.Validity{
	"":               {NotBefore: -day, NotAfter: 90 * day},
	"expired":        {NotBefore: -90 * day, NotAfter: -day},
	"nearly expired": {NotBefore: -90 * day, NotAfter: day},
}

// Names of certificate authorities. A validity is also the name of one.
const (
	installedCA = "installed"
	anotherCA   = "another"
)

// authorityByName returns a certificate authority.
func (i *installation) authorityByName(t *testing.T, name string) *certs.Authority {
	t.Helper()
	switch name {
	case installedCA:
		return i.authority
	case anotherCA:
		return certs.New(t, "test CA", validities[""])
	}
	return certs.New(t, "test CA", validities[name])
}

// caBundle returns the certificates of authorities. The name none is for no certificate.
func (i *installation) caBundle(t *testing.T, authorities ...string) []byte {
	t.Helper()
	var certificates [][]byte
	for _, a := range authorities {
		if a != "none" {
			certificates = append(certificates, i.authorityByName(t, a).Certificate)
		}
	}
	return bytes.Join(certificates, nil)
}

// issueCertificate returns a certificate that an authority signs for hosts, and its key.
func (i *installation) issueCertificate(
	t *testing.T, authority, validity string, hosts ...string,
) (certificate, key []byte) {
	t.Helper()
	pair := i.authorityByName(t, authority).Leaf(t, certs.Leaf{
		Name:     "test leaf",
		Hosts:    hosts,
		Usage:    []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
		Validity: validities[validity],
	})
	return pair.Certificate, pair.Key
}
