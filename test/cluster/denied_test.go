//go:build e2e

package cluster

import (
	"errors"
	"slices"
	"strings"
	"testing"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// denied by the webhook, as an API server denies: 422 of reason Invalid, with a cause for the field.
func denied(t *testing.T, err error, field, text string) {
	t.Helper()
	status, ok := errors.AsType[*apierrors.StatusError](err)
	if !ok || !apierrors.IsInvalid(err) || !strings.Contains(err.Error(), text) {
		t.Errorf("want 422 for %s with %q, got %v", field, text, err)
		return
	}
	about := func(c metav1.StatusCause) bool { return strings.HasPrefix(c.Field, field) }
	if !slices.ContainsFunc(status.ErrStatus.Details.Causes, about) {
		t.Errorf("no cause for %s in %+v", field, status.ErrStatus.Details)
	}
}
