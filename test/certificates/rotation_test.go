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

// TestConcurrentRotationCreatesOneCA starts three replicas, which find at the same time that the CA must be replaced.
func TestConcurrentRotationCreatesOneCA(t *testing.T) {
	t.Parallel()
	i := install(t, "race", config.Self)
	account := i.serviceAccount()
	clock := testclock.NewFakePassiveClock(time.Now())
	replicas := []sharedCA{
		i.startSharedCA(t, account, clock), i.startSharedCA(t, account, clock), i.startSharedCA(t, account, clock),
	}
	checkAll := func() error {
		for _, r := range replicas {
			if err := i.checkTrust(t, r, clock.Now()); err != nil {
				return err
			}
			if !r.CA()[0].Equal(replicas[0].CA()[0]) {
				return errors.New("the replicas sign with different CAs")
			}
		}
		return nil
	}
	await.NoError(t, "all replicas sign with the same trusted CA", checkAll)
	if got := i.generation(t); got != 2 {
		t.Errorf("the CRD was written %d times, want once", got-1)
	}
	first := i.ca(t)

	clock.SetTime(clock.Now().Add(61 * day))
	await.True(t, "one of them creates the next CA", func() bool { return len(i.secret(t).Data["next.crt"]) > 0 })
	next := string(i.secret(t).Data["next.crt"])
	await.True(t, "both CAs are in the bundle", func() bool { return string(i.bundle(t)) == first+next })
	lateReplica := i.startSharedCA(t, account, clock) // starts during the rotation
	await.NoError(t, "a replica that starts during the rotation signs trusted certificates", func() error {
		return i.checkTrust(t, lateReplica, clock.Now())
	})
	if string(i.secret(t).Data["tls.crt"]) != first {
		t.Error("the next CA was promoted before the grace period")
	}
	await.True(t, "the Secret says that the next CA is in all bundles", func() bool {
		return len(i.secret(t).Data["published"]) > 0
	})
	replicas = append(replicas, lateReplica)
	clock.SetTime(clock.Now().Add(leafValidity / 4)) // the grace period
	await.True(t, "the next CA is promoted", func() bool { return i.ca(t) == next })
	await.True(t, "all replicas sign with the next CA", func() bool {
		return string(encodeCA(lateReplica)) == next && checkAll() == nil
	})
	if got := string(i.bundle(t)); got != first+next {
		t.Error("the bundle does not have both CAs any more")
	}
	clock.SetTime(clock.Now().Add(2 * leafValidity))
	await.True(t, "the first CA is removed", func() bool {
		return string(i.bundle(t)) == next && string(i.secret(t).Data["ca.crt"]) == next
	})
	i.expectRestricted(t, account)
	if got := i.generation(t); got != 4 {
		t.Errorf("the CRD was written %d times, want three: first CA, both, second CA", got-1)
	}
}

// expectRestricted checks that the policy that restricts the account to caBundles was in force.
func (i *installation) expectRestricted(t *testing.T, account *rest.Config) {
	t.Helper()
	client := must.Get(dynamic.NewForConfig(account))(t)
	label := []byte(`{"metadata":{"labels":{"abused":"yes"}}}`)
	for resource, name := range map[schema.GroupVersionResource]string{
		crds: "resourceclaims." + i.group, mutating: i.name, validating: i.name,
	} {
		_, err := client.Resource(resource).Patch(t.Context(), name, types.MergePatchType, label,
			metav1.PatchOptions{DryRun: []string{metav1.DryRunAll}})
		if err == nil || !strings.Contains(err.Error(), "the claimbridge service account cannot change metadata") {
			t.Errorf("%s: patch of labels: got error %v, want a rejection by the policy", resource.Resource, err)
		}
	}
}

func encodeCA(a sharedCA) []byte {
	return pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: a.CA()[0].Raw})
}
