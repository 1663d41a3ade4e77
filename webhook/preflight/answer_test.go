package preflight

import (
	"errors"
	"strings"
	"testing"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
)

// What could not be looked at has the remedy of its own cause: a right that is missing, a policy that says no, a server that is silent.
func TestRemedyOfWhatCouldNotBeLookedAt(t *testing.T) {
	forbidden := func(text string) error {
		return apierrors.NewForbidden(policies.GroupResource(), name, errors.New(text))
	}
	tests := map[string]struct {
		err          error
		what, remedy string
	}{
		"a right is missing": {
			forbidden(`User "a" cannot update resource "validatingadmissionpolicies" in API group "admissionregistration.k8s.io" at the cluster scope`), `could not look: User "a" cannot`, "allow update on",
		},
		"a policy says no": {forbidden(`ValidatingAdmissionPolicy 'mine' with binding 'mine' denied request: no`), "'mine'", "have whoever refuses that let it pass"},
		"it is silent":     {errors.New("connection refused"), "connection refused", "why the API server does not answer"},
	}
	for is, test := range tests {
		if got := unseen(policies.object("", name), "update", policies, test.err); !strings.Contains(got.What, test.what) || !strings.HasPrefix(strings.TrimPrefix(got.Remedy, "find out "), test.remedy) {
			t.Errorf("%s: %+v", is, got)
		}
	}
}
