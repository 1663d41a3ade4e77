//go:build e2e

package cluster

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/yaml"

	"github.com/claimbridge/claimbridge/internal/conversion"
	"github.com/claimbridge/claimbridge/test/testkit/await"
	"github.com/claimbridge/claimbridge/test/testkit/must"
	"github.com/claimbridge/claimbridge/webhook"
	"github.com/claimbridge/claimbridge/webhook/webhooktest"
)

// upgradedGroup is the group of testdata/upgrade: definitions that store v1alpha3, and claims and templates as stored
// in etcd in each old version, with their projections in each version.
const upgradedGroup = "upgraded.example.com"

// record is an object that is stored in an old version.
type record struct {
	Stored *object
	// Projections have the spec, status, labels and annotations by version, without the data that conversion adds.
	Projections map[string]json.RawMessage
}

// TestUpgradeOfDefinitionsThatStoreV1alpha3 upgrades definitions as in docs/operations.md while claims are stored in
// old versions. No data is lost in reads and writes through any version, with or without the preserved data, before and
// after the claims are rewritten. Package conversion tests forgeries.
func TestUpgradeOfDefinitionsThatStoreV1alpha3(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: claims in old versions are written with every verb")
	}
	t.Parallel()
	p := *customGroup
	p.name, p.group = "upgraded", upgradedGroup
	u := upgrade{space{&p, metav1.NamespaceDefault}, readRecords(t)}
	oldVersionsServed := []string{"v1alpha1", "v1alpha2", "v1alpha3"}

	u.installOldDefinitions(t)
	now, later := u.copies("now", 2), u.copies("later", 1)
	u.storeRecords(t, now)
	u.storeRecords(t, later)
	u.checkStoredVersions(t, later)
	u.checkProjections(t, "after the upgrade of the server", later, oldVersionsServed)

	p.webhook = webhooktest.Run(t, p.Config, webhooktest.Options{Group: p.group})
	await.NoError(t, "serve "+stored, func() error {
		_, err := u.claims(stored).List(t.Context(), metav1.ListOptions{Limit: 1})
		return err
	})
	u.checkStoredVersions(t, later)
	u.checkProjections(t, "after the upgrade of the definitions", later, oldVersionsServed)
	u.testWrites(t, "before the rewrite", now)
	u.checkStoredVersions(t, later)
	before := map[string]map[string]*object{}
	for name, r := range later {
		before[name] = u.getAllVersions(t, r.Stored.GetKind(), name)
	}

	operations := readPage(t, &p, "operations.md")
	operations.run(t, storedVersionsChapter, rewriteBlock)
	operations.run(t, storedVersionsChapter, finishBlock)
	u.checkMigrated(t)
	for name, r := range later {
		for version, was := range before[name] {
			u.sameContent(t, "after the rewrite: "+name+" in "+version,
				withoutPreservedData(u.get(t, version, r.Stored.GetKind(), name)), withoutPreservedData(was))
		}
	}
	u.checkProjections(t, "after the rewrite", later, oldVersionsServed)
	u.testWrites(t, "after the rewrite", later)
}

// withoutPreservedData returns a copy of an object without the fields and annotations that conversion adds.
func withoutPreservedData(o *object) *object {
	o = o.DeepCopy()
	if status := projection(o); status != nil {
		o.Object["status"] = status
	}
	spec, _ := o.Object["spec"].(map[string]any)
	for _, holder := range []map[string]any{o.Object, spec} {
		meta, _ := holder["metadata"].(map[string]any)
		annotations, _ := meta["annotations"].(map[string]any)
		maps.DeleteFunc(annotations, func(name string, _ any) bool { return strings.HasPrefix(name, annotationPrefix) })
		if len(annotations) == 0 {
			delete(meta, "annotations")
		}
		if len(meta) == 0 {
			delete(holder, "metadata")
		}
	}
	return o
}

type upgrade struct {
	space
	records []record
}

// copies returns a number of copies of each record.
func (u upgrade) copies(prefix string, count int) map[string]record {
	all := map[string]record{}
	for n := range count {
		for i, r := range u.records {
			all[fmt.Sprintf("%s-%02d-%d", prefix, i, n)] = r
		}
	}
	return all
}

func readRecords(t *testing.T) (all []record) {
	t.Helper()
	file := must.Get(os.Open(filepath.Join("testdata", "upgrade", "stored.jsonl")))(t)
	defer func() { _ = file.Close() }()
	for decoder := json.NewDecoder(file); ; {
		var r record
		if err := decoder.Decode(&r); errors.Is(err, io.EOF) {
			return all
		} else if err != nil {
			t.Fatal(err)
		}
		all = append(all, r)
	}
}

// installOldDefinitions installs definitions of an old release. They call the new server, because the server is
// upgraded first.
func (u upgrade) installOldDefinitions(t *testing.T) {
	t.Helper()
	server := must.Get(webhook.New(webhook.Options{Groups: []string{u.group}}))(t)
	serving := httptest.NewTLSServer(server.Handler())
	t.Cleanup(serving.Close)
	ca := "-----BEGIN CERTIFICATE-----\n" + base64.StdEncoding.EncodeToString(serving.Certificate().Raw) +
		"\n-----END CERTIFICATE-----\n"
	url := serving.URL + "/convert"
	text := must.Get(os.ReadFile(filepath.Join("testdata", "upgrade", "definitions.yaml")))(t)
	for document := range strings.SplitSeq(string(text), "\n---\n") {
		crd := &apiextensionsv1.CustomResourceDefinition{}
		must.Do(t, yaml.Unmarshal([]byte(document), crd))
		crd.Spec.Conversion.Webhook.ClientConfig = &apiextensionsv1.WebhookClientConfig{URL: &url, CABundle: []byte(ca)}
		content := must.Get(runtime.DefaultUnstructuredConverter.ToUnstructured(crd))(t)
		delete(content, "status")
		options := metav1.ApplyOptions{FieldManager: "webhooktest", Force: true}
		must.Get(u.client.Resource(definitions).Apply(t.Context(), crd.Name, &object{Object: content}, options))(t)
	}
	for _, kind := range []string{claimKind, templateKind} {
		await.NoError(t, "the old definitions are served", func() error {
			_, err := u.resource("v1alpha1", kind).List(t.Context(), metav1.ListOptions{})
			return err
		})
	}
}

// storeRecords writes recorded objects into etcd under separate names.
func (u upgrade) storeRecords(t *testing.T, objects map[string]record) {
	t.Helper()
	for name, r := range objects {
		o := r.Stored.DeepCopy()
		o.SetName(name)
		u.putInEtcd(t, o)
	}
}

// checkStoredVersions checks that objects are still stored in their recorded version.
func (u upgrade) checkStoredVersions(t *testing.T, objects map[string]record) {
	t.Helper()
	claims := u.claimsInEtcd(t)
	for name, r := range objects {
		if want := r.Stored.GroupVersionKind().Version; r.Stored.GetKind() == claimKind && claims[name].version() != want {
			t.Errorf("%s: got stored version %q, want %s", name, claims[name].version(), want)
		}
	}
}

func (u upgrade) checkProjections(t *testing.T, when string, objects map[string]record, versions []string) {
	t.Helper()
	for name, r := range objects {
		for _, version := range versions {
			got := content(withoutPreservedData(u.get(t, version, r.Stored.GetKind(), name)))
			if want := r.Projections[version]; !conversion.Equal(asJSON(t, got), want) {
				t.Errorf("%s: %s (%s) in %s: got\n%s\nwant\n%s", when, name, r.Stored.GetName(), version,
					asJSON(t, got), want)
			}
		}
	}
}

func (u upgrade) checkMigrated(t *testing.T) {
	t.Helper()
	for name, claim := range u.claimsInEtcd(t) {
		if claim.version() != stored {
			t.Errorf("%s: got stored version %s, want %s", name, claim.version(), stored)
		}
	}
	for _, plural := range plurals {
		crd := must.Get(u.client.Resource(definitions).Get(t.Context(), plural+"."+u.group, metav1.GetOptions{}))(t)
		equal(t, "storedVersions of "+plural, nested(crd, "status", "storedVersions"), any([]any{stored}))
	}
}

// testWrites writes objects, each through another version, and checks that their content is unchanged in every version.
func (u upgrade) testWrites(t *testing.T, when string, objects map[string]record) {
	t.Helper()
	for i, name := range slices.Sorted(maps.Keys(objects)) {
		kind, version := objects[name].Stored.GetKind(), versions[i%len(versions)]
		before := u.getAllVersions(t, kind, name)
		stripped := withLabel(before[version], "touched", "yes")
		stripped.SetAnnotations(nil)
		// This update is rejected if it would lose the spec.
		_, err := u.resource(version, kind).Update(t.Context(), stripped, metav1.UpdateOptions{})
		o := u.get(t, version, kind, name)
		must.Get(u.resource(version, kind).Update(t.Context(), withLabel(o, "touched", "again"), metav1.UpdateOptions{}))(t)
		if o = u.get(t, version, kind, name); o.Object["status"] != nil {
			u.writeStatus(t, o)
		}
		what := fmt.Sprintf("%s: %s (%s) through %s (%v)", when, name, objects[name].Stored.GetName(), version, err)
		for v, was := range before {
			now := u.get(t, v, kind, name)
			equal(t, what+": spec in "+v, withoutPreservedData(now).Object["spec"], withoutPreservedData(was).Object["spec"])
			equal(t, what+": status in "+v, projection(now), projection(was))
		}
	}
}
