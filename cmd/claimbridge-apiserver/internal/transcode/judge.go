package transcode

import (
	"context"
	"errors"
	"net/http"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/claimbridge/claimbridge/api"
	"github.com/claimbridge/claimbridge/cmd/claimbridge-apiserver/internal/store"
	"github.com/claimbridge/claimbridge/validation"
)

// Judge of a write in its own version, such as [validation.Judge].
type Judge func(context.Context, validation.Request) (validation.Verdict, error)

// judgedByStore are the versions whose rules are those of the store: an API server that serves them as well has one set of rules for all of
// them, and names the fields of v1 in its errors. The rules of alpha versions are gone with their releases.
var judgedByStore = map[string]bool{"v1beta1": true, "v1beta2": true}

// hasRules tells whether writes of the version are judged here.
func (c *call) hasRules() bool {
	return c.judge != nil && !judgedByStore[c.Version] && (c.Kind.Kind == api.KindClaim || c.Kind.Kind == api.KindTemplate)
}

// judged is the error for a write that the rules of its version refuse; nil for one that they allow, or that the store alone judges.
func (c *call) judged(w validation.Request) error {
	if !c.hasRules() {
		return nil
	}
	verdict, err := c.judge(c.ctx(), w)
	switch {
	case errors.Is(err, validation.ErrBusy):
		return apierrors.NewTooManyRequests(err.Error(), 1)
	case c.ctx().Err() != nil:
		return c.ctx().Err()
	case err != nil:
		return apierrors.NewBadRequest(err.Error())
	case len(verdict.Errors) == 0:
		return nil
	}
	causes := make(field.ErrorList, len(verdict.Errors))
	for i := range verdict.Errors {
		causes[i] = verdict.Errors[i].Error
	}
	return apierrors.NewInvalid(c.GroupVersionKind().GroupKind(), metadataOf(w.Object).name, causes)
}

// refuse a write that its version's rules do not allow. What comes first with an API server comes first here: that its caller may not, that
// the namespace is not there or is going, that the object has changed. So the store is asked what it says of the write, which it does not do,
// and ours is told when that has nothing but its own rules against it.
func (c *call) refuse(refusal error, r store.Request, final bool) error {
	if !apierrors.IsInvalid(refusal) {
		return refusal
	}
	resp, err := c.store.AsCaller(c.ctx(), dryRun(r))
	if err != nil {
		return err
	}
	if resp.StatusCode < http.StatusBadRequest || resp.StatusCode == http.StatusUnprocessableEntity ||
		resp.StatusCode == http.StatusConflict && !final && c.overtaken(resp) { // which a writer of any version does not mind
		_ = resp.Body.Close()
		return refusal
	}
	return c.answer(resp)
}
