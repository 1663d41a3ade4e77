//go:build e2e

package certificates

import (
	"encoding/pem"
	"errors"
	"strings"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/rest"
	testclock "k8s.io/utils/clock/testing"

	"github.com/claimbridge/claimbridge/config"
	"github.com/claimbridge/claimbridge/test/testkit/await"
	"github.com/claimbridge/claimbridge/test/testkit/must"
)

// TestReplicasThatRotateAtOnce starts three replicas that find at the same moment that the CA is due.
func TestReplicasThatRotateAtOnce(t *testing.T) {
	t.Parallel()
	i := install(t, "race", config.Self)
	account := i.account()
	clock := testclock.NewFakePassiveClock(time.Now())
	replicas := []shared{i.share(t, account, clock), i.share(t, account, clock), i.share(t, account, clock)}
	trusted := func() error {
		for _, r := range replicas {
			if err := i.trusts(t, r, clock.Now()); err != nil {
				return err
			}
			if !r.CA()[0].Equal(replicas[0].CA()[0]) {
				return errors.New("they sign with different CAs")
			}
		}
		return nil
	}
	await.NoError(t, "all sign with one CA that is trusted", trusted)
	if got := i.generation(t); got != 2 {
		t.Errorf("the CRD was written %d times, want once", got-1)
	}
	first := i.ca(t)

	clock.SetTime(clock.Now().Add(61 * day))
	await.True(t, "one of them makes the next", func() bool { return len(i.secret(t).Data["next.crt"]) > 0 })
	next := string(i.secret(t).Data["next.crt"])
	await.True(t, "it is trusted", func() bool { return string(i.bundle(t)) == first+next })
	late := i.share(t, account, clock) // a replica that starts in the middle
	await.NoError(t, "it signs", func() error { return i.trusts(t, late, clock.Now()) })
	if string(i.secret(t).Data["tls.crt"]) != first {
		t.Error("the next CA signs before its time")
	}
	await.True(t, "every bundle was seen", func() bool { return len(i.secret(t).Data["published"]) > 0 })
	replicas = append(replicas, late)
	clock.SetTime(clock.Now().Add(leafLife / 4)) // the grace
	await.True(t, "it is promoted", func() bool { return i.ca(t) == next })
	await.True(t, "all sign with it", func() bool { return string(encodeCA(late)) == next && trusted() == nil })
	if got := string(i.bundle(t)); got != first+next {
		t.Errorf("callers do not trust both any more")
	}
	clock.SetTime(clock.Now().Add(2 * leafLife))
	await.True(t, "the first has gone", func() bool {
		return string(i.bundle(t)) == next && string(i.secret(t).Data["ca.crt"]) == next
	})
	i.expectHeld(t, account)
	if got := i.generation(t); got != 4 {
		t.Errorf("the CRD was written %d times, want three: first CA, both, second CA", got-1)
	}
}

// expectHeld checks that all of this worked with the policy that restricts the account to the caBundle.
func (i *installation) expectHeld(t *testing.T, account *rest.Config) {
	t.Helper()
	client := must.Get(dynamic.NewForConfig(account))(t)
	label := []byte(`{"metadata":{"labels":{"abused":"yes"}}}`)
	for resource, name := range map[schema.GroupVersionResource]string{
		crds: "resourceclaims." + i.group, mutating: i.name, validating: i.name,
	} {
		_, err := client.Resource(resource).Patch(t.Context(), name, types.MergePatchType, label,
			metav1.PatchOptions{DryRun: []string{metav1.DryRunAll}})
		if err == nil || !strings.Contains(err.Error(), "the account of claimbridge may change no metadata") {
			t.Errorf("%s: the account may label it: %v", resource.Resource, err)
		}
	}
}

func encodeCA(a shared) []byte {
	return pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: a.CA()[0].Raw})
}
