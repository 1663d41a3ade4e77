//go:build e2e

package aggregated

import (
	"bufio"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"testing"

	auditv1 "k8s.io/apiserver/pkg/apis/audit/v1"
)

// The audit log of the cluster tells who wrote: the write of v1 that an old version's comes to has the true user, whom the
// account acted as; that of a member of system:masters, whom nobody may act as, has the account, and the server's own log has the name.
func TestTheAuditLogsTellWhoWrote(t *testing.T) {
	t.Parallel()
	for user, impersonated := range map[string]bool{"writer": true, "many": true, robot: true, "root": false} {
		t.Run(user, func(t *testing.T) {
			s := ours.session(t, "v1beta1")
			a, err := s.do(t.Context(), create("claims", shape("v1beta1").claim("audited", "")).by(user).request)
			if err != nil || a.status != http.StatusCreated {
				t.Fatalf("%v: %d %s", err, a.status, a.body)
			}
			name := user
			if user == robot {
				name = "system:serviceaccount:default:" + robot
			}
			const account = "system:serviceaccount:claimbridge-system:claimbridge-apiserver"
			event := auditOf(t, ours.Audit, func(e *auditv1.Event) bool {
				return e.ObjectRef.Namespace == s.namespace && e.ObjectRef.APIVersion == "v1" && e.Verb == "create"
			})
			if event.User.Username != account {
				t.Errorf("v1 was written by %s", event.User.Username)
			}
			if got := event.ImpersonatedUser != nil && event.ImpersonatedUser.Username == name; got != impersonated {
				t.Errorf("acted as %+v", event.ImpersonatedUser)
			}
			front := auditOf(t, ours.Audit, func(e *auditv1.Event) bool {
				return e.ObjectRef.Namespace == s.namespace && e.ObjectRef.APIVersion == "v1beta1" && e.Verb == "create"
			})
			if front.User.Username != name {
				t.Errorf("v1beta1 was asked for by %s", front.User.Username)
			}
			own := auditOf(t, ours.server.Audit, func(e *auditv1.Event) bool { return e.ObjectRef.Namespace == s.namespace && e.Verb == "create" })
			if own.User.Username != name {
				t.Errorf("the server's own log has %s", own.User.Username)
			}
			if front.AuditID != own.AuditID {
				t.Errorf("the entries cannot be put together: %s and %s", front.AuditID, own.AuditID)
			}
		})
	}
}

// auditOf is the entry of a log that is meant, as soon as it is written.
func auditOf(t *testing.T, file string, meant func(*auditv1.Event) bool) (found *auditv1.Event) {
	t.Helper()
	if problem := until(t, func() string {
		log, err := os.Open(file)
		if err != nil {
			return err.Error()
		}
		defer log.Close()
		lines := bufio.NewScanner(log)
		lines.Buffer(nil, 1<<20)
		for lines.Scan() {
			event := &auditv1.Event{}
			if json.Unmarshal(lines.Bytes(), event) == nil && event.ObjectRef != nil && meant(event) {
				found = event
				return ""
			}
		}
		return fmt.Sprintf("there is no such entry in %s", file)
	}); problem != "" {
		t.Fatal(problem)
	}
	return found
}
