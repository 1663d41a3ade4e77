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

// recorded object, stored in an old version.
type recorded struct {
	Stored *object
	// Shown spec, status, labels and annotations by version, without what conversion adds.
	Shown map[string]json.RawMessage
}

// Claims are stored in old versions when the definitions are upgraded, as in docs/operations.md. No data is lost in
// reads and writes through any version, with or without the preserved data, before and after the claims are rewritten.
// Package conversion tests forgeries.
func TestUpgradeOfDefinitionsThatStoreV1alpha3(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: every write there is to claims in old versions")
	}
	t.Parallel()
	p := *ownGroup
	p.name, p.group = "upgraded", upgradedGroup
	u := upgrade{space{&p, metav1.NamespaceDefault}, readRecords(t)}
	oldServed := []string{"v1alpha1", "v1alpha2", "v1alpha3"}

	u.oldDefinitions(t)
	written, waiting := u.copies("now", 2), u.copies("later", 1)
	u.put(t, written)
	u.put(t, waiting)
	u.stays(t, waiting)
	u.looksAsRecorded(t, "the server is upgraded", waiting, oldServed)

	p.webhook = webhooktest.Run(t, p.Config, webhooktest.Options{Group: p.group})
	await.NoError(t, "serve "+stored, func() error {
		_, err := u.claims(stored).List(t.Context(), metav1.ListOptions{Limit: 1})
		return err
	})
	u.stays(t, waiting)
	u.looksAsRecorded(t, "the definitions are upgraded", waiting, oldServed)
	u.writeAll(t, "stored as before", written)
	u.stays(t, waiting)
	before := map[string]map[string]*object{}
	for name, r := range waiting {
		before[name] = u.everyVersion(t, r.Stored.GetKind(), name)
	}

	operations := readPage(t, &p, "operations.md")
	operations.run(t, storedVersionsChapter, rewriteBlock)
	operations.run(t, storedVersionsChapter, finishBlock)
	u.isMigrated(t)
	for name, r := range waiting {
		for version, was := range before[name] {
			u.sameContent(t, "migrated: "+name+" in "+version,
				withoutLeftover(u.get(t, version, r.Stored.GetKind(), name)), withoutLeftover(was))
		}
	}
	u.looksAsRecorded(t, "migrated", waiting, oldServed)
	u.writeAll(t, "migrated", waiting)
}

func withoutLeftover(o *object) *object {
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
	records []recorded
}

// copies returns a number of copies of each record.
func (u upgrade) copies(prefix string, many int) map[string]recorded {
	all := map[string]recorded{}
	for copied := range many {
		for i, r := range u.records {
			all[fmt.Sprintf("%s-%02d-%d", prefix, i, copied)] = r
		}
	}
	return all
}

func readRecords(t *testing.T) (all []recorded) {
	t.Helper()
	file := must.Get(os.Open(filepath.Join("testdata", "upgrade", "stored.jsonl")))(t)
	defer func() { _ = file.Close() }()
	for decoder := json.NewDecoder(file); ; {
		var r recorded
		if err := decoder.Decode(&r); errors.Is(err, io.EOF) {
			return all
		} else if err != nil {
			t.Fatal(err)
		}
		all = append(all, r)
	}
}

// oldDefinitions ask the new server, which is upgraded first.
func (u upgrade) oldDefinitions(t *testing.T) {
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
		await.NoError(t, "serve the old definitions", func() error {
			_, err := u.of("v1alpha1", kind).List(t.Context(), metav1.ListOptions{})
			return err
		})
	}
}

// put writes recorded objects into etcd under separate names.
func (u upgrade) put(t *testing.T, objects map[string]recorded) {
	t.Helper()
	for name, r := range objects {
		o := r.Stored.DeepCopy()
		o.SetName(name)
		u.putInEtcd(t, o)
	}
}

// stays in the version that it was stored in.
func (u upgrade) stays(t *testing.T, objects map[string]recorded) {
	t.Helper()
	is := u.claimsInEtcd(t)
	for name, r := range objects {
		if want := r.Stored.GroupVersionKind().Version; r.Stored.GetKind() == claimKind && is[name].version() != want {
			t.Errorf("%s is stored in %q, not %s", name, is[name].version(), want)
		}
	}
}

func (u upgrade) looksAsRecorded(t *testing.T, when string, objects map[string]recorded, in []string) {
	t.Helper()
	for name, r := range objects {
		for _, version := range in {
			got := content(withoutLeftover(u.get(t, version, r.Stored.GetKind(), name)))
			if want := r.Shown[version]; !conversion.Equal(asJSON(t, got), want) {
				t.Errorf("%s: %s (%s) in %s: got\n%s\nwant\n%s", when, name, r.Stored.GetName(), version,
					asJSON(t, got), want)
			}
		}
	}
}

func (u upgrade) isMigrated(t *testing.T) {
	t.Helper()
	for name, claim := range u.claimsInEtcd(t) {
		if claim.version() != stored {
			t.Errorf("%s is stored in %s", name, claim.version())
		}
	}
	for _, plural := range plurals {
		crd := must.Get(u.client.Resource(definitions).Get(t.Context(), plural+"."+u.group, metav1.GetOptions{}))(t)
		equal(t, "storedVersions of "+plural, nested(crd, "status", "storedVersions"), any([]any{stored}))
	}
}

// writeAll objects: whatever is written through a version, the content stays in every one.
func (u upgrade) writeAll(t *testing.T, when string, objects map[string]recorded) {
	t.Helper()
	for i, name := range slices.Sorted(maps.Keys(objects)) {
		kind, version := objects[name].Stored.GetKind(), versions[i%len(versions)]
		before := u.everyVersion(t, kind, name)
		stripped := withLabel(before[version], "touched", "yes")
		stripped.SetAnnotations(nil)
		// where a spec would be lost
		_, refused := u.of(version, kind).Update(t.Context(), stripped, metav1.UpdateOptions{})
		o := u.get(t, version, kind, name)
		must.Get(u.of(version, kind).Update(t.Context(), withLabel(o, "touched", "again"), metav1.UpdateOptions{}))(t)
		if o = u.get(t, version, kind, name); o.Object["status"] != nil {
			u.writeStatus(t, o)
		}
		what := fmt.Sprintf("%s: %s (%s) through %s (%v)", when, name, objects[name].Stored.GetName(), version, refused)
		for v, was := range before {
			now := u.get(t, v, kind, name)
			equal(t, what+": spec in "+v, withoutLeftover(now).Object["spec"], withoutLeftover(was).Object["spec"])
			equal(t, what+": status in "+v, projection(now), projection(was))
		}
	}
}
