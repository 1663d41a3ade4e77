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
	"time"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/yaml"

	"github.com/claimbridge/claimbridge/conversion"
	"github.com/claimbridge/claimbridge/test/testkit/await"
	"github.com/claimbridge/claimbridge/test/testkit/must"
	"github.com/claimbridge/claimbridge/webhook"
	"github.com/claimbridge/claimbridge/webhook/migration"
	"github.com/claimbridge/claimbridge/webhook/webhooktest"
)

// upgradedGroup is the group of testdata/upgrade: definitions that store v1alpha3, and claims and templates as they are in etcd where an old
// version is stored, in each of the old versions, with what each version shows of them.
const upgradedGroup = "upgraded.example.com"

// recorded object, stored in an old version.
type recorded struct {
	Stored *object
	// Shown spec, status, labels and annotations by version, without what conversion adds.
	Shown map[string]json.RawMessage
}

// Claims are stored in old versions when the definitions are upgraded, as docs/operations.md says. Nothing
// of them is lost: not when they are read, nor written through any version, honestly or not, while they are stored in the old
// versions, and neither when they have been rewritten.
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
	// When they have been rewritten they are claims as any other that is stored in the newest version, and those are written with every
	// verb by TestMainWritesForgeNoStatus: here one is enough.
	everyWrite, putWrites := upgradeWrites(slices.Sorted(maps.Keys(mainVerbs))...), upgradeWrites("update")
	written, waiting := u.copies("now", everyWrite), u.copies("later", putWrites)
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
	donor := u.createWithStatus(t, u.hidden(t, "donor", "rack-2/evil"))
	u.writeAll(t, "stored as before", written, everyWrite, donor.GetName())
	u.stays(t, waiting)
	before := map[string]map[string]*object{}
	for name, r := range waiting {
		before[name] = u.everyVersion(t, r.Stored.GetKind(), name)
	}

	outcomes, err := migration.Run(t.Context(), p.Config, migration.Options{Group: p.group, Rate: 1000, Settle: time.Second, Failed: func(f migration.Failure) { t.Errorf("%s: %v", f.Object, f.Err) }})
	if err != nil {
		t.Fatalf("migrate: %v, %+v", err, outcomes)
	}
	u.isMigrated(t)
	for name, r := range waiting {
		for version, was := range before[name] {
			u.sameContent(t, "migrated: "+name+" in "+version, withoutLeftover(u.get(t, version, r.Stored.GetKind(), name)), withoutLeftover(was))
		}
	}
	u.looksAsRecorded(t, "migrated", waiting, oldServed)
	u.writeAll(t, "migrated", waiting, putWrites, donor.GetName())
}

func withoutLeftover(o *object) *object {
	o = o.DeepCopy()
	if status := shown(o); status != nil {
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

// copies of each record, as many as give each write through each version a claim of its own.
func (u upgrade) copies(prefix string, writes []upgradeWrite) map[string]recorded {
	allocated := 0
	for _, r := range u.records {
		if r.isAllocated() {
			allocated++
		}
	}
	all := map[string]recorded{}
	for copied := range (len(writes)*len(versions) + allocated - 1) / allocated {
		for i, r := range u.records {
			all[fmt.Sprintf("%s-%d-%02d", prefix, copied, i)] = r
		}
	}
	return all
}

// isAllocated tells a claim with an allocation, which is what a forged write would change.
func (r recorded) isAllocated() bool { return nested(r.Stored, "status", "allocation") != nil }

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
	ca := "-----BEGIN CERTIFICATE-----\n" + base64.StdEncoding.EncodeToString(serving.Certificate().Raw) + "\n-----END CERTIFICATE-----\n"
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

// put objects into etcd, as they were there, under names of their own.
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
	is := u.inEtcd(t)
	for name, r := range objects {
		if want := r.Stored.GroupVersionKind().Version; r.Stored.GetKind() == claimKind && is[name] != want {
			t.Errorf("%s is stored in %q, not %s", name, is[name], want)
		}
	}
}

func (u upgrade) looksAsRecorded(t *testing.T, when string, objects map[string]recorded, in []string) {
	t.Helper()
	for name, r := range objects {
		for _, version := range in {
			got := content(withoutLeftover(u.get(t, version, r.Stored.GetKind(), name)))
			if want := r.Shown[version]; !conversion.Equal(asJSON(t, got), want) {
				t.Errorf("%s: %s (%s) in %s: got\n%s\nwant\n%s", when, name, r.Stored.GetName(), version, asJSON(t, got), want)
			}
		}
	}
}

func (u upgrade) isMigrated(t *testing.T) {
	t.Helper()
	for name, version := range u.inEtcd(t) {
		if version != stored {
			t.Errorf("%s is stored in %s", name, version)
		}
	}
	for _, plural := range plurals {
		crd := must.Get(u.client.Resource(definitions).Get(t.Context(), plural+"."+u.group, metav1.GetOptions{}))(t)
		equal(t, "storedVersions of "+plural, nested(crd, "status", "storedVersions"), any([]any{stored}))
	}
}

// upgradeWrite through a version, to a claim as it is read there.
type upgradeWrite struct {
	what   string
	honest bool // and so it has to be accepted
	write  func(t *testing.T, s space, version string, was, theirs *object) error
}

// upgradeWrites are honest ones, and all that somebody may try with these verbs who may not write the status.
func upgradeWrites(verbs ...string) (all []upgradeWrite) {
	all = append(all,
		upgradeWrite{"a label", true, func(t *testing.T, s space, version string, was, _ *object) error {
			_, err := s.of(version, was.GetKind()).Update(t.Context(), withLabel(was, "touched", "yes"), metav1.UpdateOptions{})
			return err
		}},
		upgradeWrite{"the status as it is", true, func(t *testing.T, s space, version string, was, _ *object) error {
			if was.Object["status"] == nil {
				return nil
			}
			_, err := s.of(version, was.GetKind()).UpdateStatus(t.Context(), was, metav1.UpdateOptions{})
			return err
		}})
	for _, verb := range verbs {
		write := mainVerbs[verb]
		for what, forge := range forgeries {
			all = append(all, upgradeWrite{what + " by " + verb, false, func(t *testing.T, s space, version string, was, theirs *object) error {
				forged := withLabel(was, "touched", "yes")
				forge(forged, theirs)
				return write(t, s, version, was, forged)
			}})
		}
	}
	slices.SortFunc(all[2:], func(a, b upgradeWrite) int { return strings.Compare(a.what, b.what) })
	return all
}

// writeAll tries each write through each version on an allocated claim of its own, and the honest ones on all else. Neighbours in
// the order of names are of different records, so that each write meets several.
func (u upgrade) writeAll(t *testing.T, when string, objects map[string]recorded, writes []upgradeWrite, donor string) {
	t.Helper()
	theirs := u.everyVersion(t, claimKind, donor)
	allocated, others := 0, 0
	for _, name := range slices.Sorted(maps.Keys(objects)) {
		r := objects[name]
		switch {
		case r.isAllocated():
			version, write := versions[allocated%len(versions)], writes[allocated/len(versions)%len(writes)]
			u.writeOne(t, when, name, r, version, write, theirs[version])
			allocated++
		case r.Stored.GetKind() == templateKind:
			u.writeOne(t, when, name, r, versions[others%len(versions)], writes[0], nil)
			others++
		default:
			u.writeOne(t, when, name, r, versions[others%len(versions)], writes[others/len(versions)%2], nil)
			others++
		}
	}
	if want := len(writes) * len(versions); allocated < want {
		t.Errorf("%s: %d writes were tried of %d", when, allocated, want)
	}
}

// writeOne object through a version: whatever is said, its content stays in every version.
func (u upgrade) writeOne(t *testing.T, when, name string, r recorded, version string, write upgradeWrite, theirs *object) {
	t.Helper()
	kind := r.Stored.GetKind()
	before := u.everyVersion(t, kind, name)
	err := write.write(t, u.space, version, before[version], theirs)
	what := fmt.Sprintf("%s: %s (%s): %s through %s (%v)", when, name, r.Stored.GetName(), write.what, version, err)
	if write.honest && err != nil {
		t.Error(what)
	}
	for v, was := range before {
		now := u.get(t, v, kind, name)
		equal(t, what+": spec in "+v, withoutLeftover(now).Object["spec"], withoutLeftover(was).Object["spec"])
		equal(t, what+": status in "+v, shown(now), shown(was))
	}
}
