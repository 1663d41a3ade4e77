//go:build node && aggregated

package drivers

import (
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/client-go/dynamic"
)

// What a caller makes of a claim: it is not there, or was created, or has a label of a round.
const (
	absent  = "absent"
	created = "created"
	one     = "one"
	two     = "two"
)

// told is what a caller knows of a claim that it alone writes.
type told struct {
	acknowledged string // by the last answer
	sent         string // by the last write, which may have had no answer
}

// send a write that makes so much of a claim, and note what was acknowledged. One that kube-apiserver says it has sent to nobody is none.
func (m *calls) send(claim, makes string, once func() (string, *failure)) (answer string, failed *failure) {
	m.mutex.Lock()
	knows, known := m.claims[claim]
	if !known {
		knows = &told{acknowledged: absent}
		m.claims[claim] = knows
	}
	knows.sent = makes
	m.mutex.Unlock()
	answer, failed = once()
	m.mutex.Lock()
	defer m.mutex.Unlock()
	if failed == nil {
		knows.acknowledged = makes
	} else if failed.unsent() {
		knows.sent = knows.acknowledged
	}
	return answer, failed
}

// audit v1 when nobody calls any more: each claim is as it was acknowledged, or as a write without an answer would have it, and there is no other.
func (m *calls) audit(t *testing.T, c *cluster) {
	t.Helper()
	stored := map[string]string{}
	for _, claim := range c.stored(t) {
		stored[claim.GetName()] = created
		if round := claim.GetLabels()["round"]; round != "" {
			stored[claim.GetName()] = round
		}
		if m.claims[claim.GetName()] == nil {
			t.Errorf("nobody has created %s", claim.GetName())
		}
	}
	for name, knows := range m.claims {
		is := stored[name]
		if is == "" {
			is = absent
		}
		if is != knows.acknowledged && is != knows.sent {
			t.Errorf("%s is %s; acknowledged was %s, and sent %s", name, is, knows.acknowledged, knows.sent)
		}
	}
	t.Logf("%d claims are what was acknowledged, %d of which are there", len(m.claims), len(stored))
}

// stored claims, as v1 has them.
func (c *cluster) stored(t *testing.T) []unstructured.Unstructured {
	t.Helper()
	client, err := dynamic.NewForConfig(c.Config())
	if err != nil {
		t.Fatal(err)
	}
	list, err := client.Resource(resource("v1")).Namespace("default").List(t.Context(), metav1.ListOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return list.Items
}
