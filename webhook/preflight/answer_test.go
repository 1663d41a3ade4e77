package preflight

import (
	"errors"
	"strings"
	"testing"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
)

// What could not be looked at has the remedy of its own cause: a right that is missing, a policy
// that says no, a server that is silent.
func TestRemedyOfWhatCouldNotBeLookedAt(t *testing.T) {
	forbidden := func(text string) error {
		return apierrors.NewForbidden(validatingConfigurations.GroupResource(), name, errors.New(text))
	}
	tests := map[string]struct {
		err          error
		what, remedy string
	}{
		"a right is missing": {
			forbidden(`User "a" cannot get resource "validatingwebhookconfigurations" in API group ` +
				`"admissionregistration.k8s.io" at the cluster scope`),
			`could not look: User "a" cannot`,
			"allow get on",
		},
		"a policy says no": {
			forbidden(`ValidatingAdmissionPolicy 'mine' with binding 'mine' denied request: no`),
			"'mine'",
			"have whoever refuses that let it pass",
		},
		"it is silent": {
			errors.New("connection refused"), "connection refused", "why the API server does not answer",
		},
	}
	for is, test := range tests {
		got := unseen(validatingConfigurations.object("", name), "get", validatingConfigurations, test.err)
		if !strings.Contains(got.What, test.what) ||
			!strings.HasPrefix(strings.TrimPrefix(got.Remedy, "find out "), test.remedy) {
			t.Errorf("%s: %+v", is, got)
		}
	}
}
