//go:build e2e

package cluster

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/claimbridge/claimbridge/test/testkit/must"
	"github.com/claimbridge/claimbridge/webhook/migration"
	"github.com/claimbridge/claimbridge/webhook/webhooktest"
)

// migrated is a group in which some objects are stored in an old version.
type migrated struct{ space }

func newMigrated(t *testing.T, name string) migrated {
	t.Helper()
	p := *ownGroup
	p.name, p.group = name, name+".migrate.example.com"
	p.webhook = webhooktest.Run(t, p.Config, webhooktest.Options{Group: p.group})
	m := migrated{p.space(t)}
	m.storeIn(t, "v1alpha3")
	for i := range 6 {
		m.createWithStatus(t, m.typical(t, versions[i], claimKind, fmt.Sprintf("claim-%d", i)))
		m.create(t, m.typical(t, versions[i], templateKind, fmt.Sprintf("template-%d", i)))
	}
	m.storeIn(t, stored)
	return m
}

// run a migration, and what it said of claims and of single objects.
func (m migrated) run(t *testing.T, o migration.Options) (claims migration.Outcome, failed string, err error) {
	t.Helper()
	o.Group, o.Rate, o.Settle = m.group, 1000, time.Second
	var failures []string
	o.Failed = func(f migration.Failure) { failures = append(failures, f.Object+": "+f.Err.Error()) }
	outcomes, err := migration.Run(t.Context(), m.Config, o)
	if err != nil && !errors.Is(err, migration.ErrIncomplete) {
		return migration.Outcome{}, "", err
	}
	return outcomes[0], strings.Join(failures, "\n"), err
}

// storedVersions of the definitions.
func (m migrated) storedVersions(t *testing.T) string {
	t.Helper()
	var all []string
	for _, kind := range []string{claimKind, templateKind} {
		crd := must.Get(m.client.Resource(definitions).Get(t.Context(), plurals[kind]+"."+m.group, metav1.GetOptions{}))(t)
		all = append(all, fmt.Sprint(nested(crd, "status", "storedVersions")))
	}
	return strings.Join(all, " ")
}

func (m migrated) patchDefinition(t *testing.T, patch string) {
	t.Helper()
	if _, err := m.client.Resource(definitions).Patch(t.Context(), "resourceclaims."+m.group, types.JSONPatchType, []byte(patch), metav1.PatchOptions{}); err != nil {
		t.Fatal(err)
	}
}

// What does not convert is named and passed over, and the definition says that it may still be stored in the old version; what is
// being deleted is rewritten like the rest. The second run writes nothing but what the first could not.
func TestMigratePassesOverWhatFails(t *testing.T) {
	t.Parallel()
	m := newMigrated(t, "fails")
	leaving := m.get(t, stored, claimKind, "claim-1")
	leaving.SetFinalizers([]string{"example.com/stays"})
	// The write stores it in the new version, so that it is one of those that need nothing.
	must.Get(m.claims(stored).Update(t.Context(), leaving, metav1.UpdateOptions{}))(t)
	must.Do(t, m.claims(stored).Delete(t.Context(), "claim-1", metav1.DeleteOptions{}))
	broken := m.inEtcd(t)["claim-3"].object
	set(t, broken, "many", "spec", "devices", "requests")
	m.putInEtcd(t, broken)

	outcome, failed, err := m.run(t, migration.Options{DryRun: true})
	if !errors.Is(err, migration.ErrIncomplete) || outcome.Written != 0 || !strings.Contains(failed, m.namespace+"/claim-3") {
		t.Errorf("dry run: %+v, %v\n%s", outcome, err, failed)
	}
	if is := m.inEtcd(t)["claim-0"].version(); is != "v1alpha3" {
		t.Errorf("a dry run wrote %s", is)
	}

	outcome, failed, err = m.run(t, migration.Options{})
	if !errors.Is(err, migration.ErrIncomplete) || outcome.Done != 6 || outcome.Written != 4 || outcome.Failed != 1 || outcome.Finished {
		t.Errorf("%+v, %v", outcome, err)
	}
	if strings.Count(failed, "\n") != 0 || !strings.Contains(failed, "resourceclaims."+m.group+" "+m.namespace+"/claim-3: ") {
		t.Errorf("failed: %s", failed)
	}
	for name, claim := range m.inEtcd(t) {
		if want := map[bool]string{true: "v1alpha3", false: stored}[name == "claim-3"]; claim.version() != want {
			t.Errorf("%s is stored in %s, not %s", name, claim.version(), want)
		}
	}
	if got := m.storedVersions(t); got != "[v1 v1alpha3] [v1]" {
		t.Errorf("stored versions %s", got)
	}

	m.putInEtcd(t, set(t, broken, []any{}, "spec", "devices", "requests"))
	before := m.inEtcd(t)
	outcome, failed, err = m.run(t, migration.Options{})
	if err != nil || outcome.Written != 1 || !outcome.Finished || failed != "" {
		t.Errorf("after mending: %+v, %v\n%s", outcome, err, failed)
	}
	for name, claim := range m.inEtcd(t) {
		if name != "claim-3" && claim.revision != before[name].revision {
			t.Errorf("%s was written again", name)
		}
	}
	if got := m.storedVersions(t); got != "[v1] [v1]" {
		t.Errorf("stored versions %s", got)
	}
	outcome, _, err = m.run(t, migration.Options{})
	if err != nil || !outcome.Finished || outcome.Done != 0 {
		t.Errorf("when there is nothing to do: %+v, %v", outcome, err)
	}
}

// Where a write would lose something nothing is written.
func TestMigrateRefusesDefinitionsThatWouldLose(t *testing.T) {
	t.Parallel()
	m := newMigrated(t, "refused")
	m.storeIn(t, "v1beta1")
	if _, _, err := m.run(t, migration.Options{}); err == nil || !strings.Contains(err.Error(), "stores v1beta1, not v1: apply the manifests") {
		t.Errorf("another version is stored: %v", err)
	}
	m.storeIn(t, stored)
	m.patchDefinition(t, `[{"op":"replace","path":"/spec/conversion","value":{"strategy":"None"}}]`)
	if _, _, err := m.run(t, migration.Options{}); err == nil || !strings.Contains(err.Error(), "has no conversion webhook") {
		t.Errorf("nobody converts: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := migration.Run(ctx, m.Config, migration.Options{Group: m.group}); !errors.Is(err, context.Canceled) {
		t.Errorf("interrupted: %v", err)
	}
	if _, err := migration.Run(t.Context(), m.Config, migration.Options{Group: "nobody.example.com"}); err == nil || !strings.Contains(err.Error(), "get definition resourceclaims.nobody.example.com: ") {
		t.Errorf("a group that is not there: %v", err)
	}
}
