package preflight

import (
	"cmp"
	"fmt"
	"slices"

	authorizationv1 "k8s.io/api/authorization/v1"

	"github.com/claimbridge/claimbridge/config"
)

var serverHasItsRights = Check{
	Name:     "server-has-its-rights",
	Reason:   "With certificates of its own the server reads and writes a Secret and the four objects with a caBundle. Without these rights nobody notices before the CA is renewed; then every call fails. Without the others, which are only warned of, it answers no reader of its metrics and cannot look at the cluster.",
	Severity: Problem,
	Remedy:   "Apply the server again, which has its roles and their bindings.",
	find: func(v *view) {
		deployment, _ := v.deployment()
		if deployment == nil || v.servesAnother() {
			return // its rights are those for another group, as server-serves-this-group says
		}
		account := cmp.Or(deployment.Spec.Template.Spec.ServiceAccountName, "default")
		object := Object{Kind: "ServiceAccount", Namespace: deployment.Namespace, Name: account}
		var missing []right
		for _, r := range v.options.rendered.rights() {
			if r.role == name && v.certificates() != config.Self {
				continue // only a server that is its own CA has, and needs, the role of that name
			}
			allowed, err := v.may(account, r)
			if err != nil && v.isHeldUp(err) {
				return // foreign-webhooks-answer says so
			}
			if err != nil {
				v.unseen(object, "create", subjectAccessReviews, err)
				return
			}
			if !allowed {
				missing = append(missing, r)
			}
		}
		v.reportRights(object, missing)
	},
}

func (v *view) reportRights(object Object, missing []right) {
	r := v.apply(config.ServerPart)
	for _, role := range roles(missing) {
		var lacks []string
		for _, r := range missing {
			if r.role == role {
				lacks = append(lacks, r.String())
			}
		}
		what := fmt.Sprintf("may not %s, which the role %s allows: it is gone, changed or not bound", some(lacks), role)
		if role == name {
			v.report(object, what, r)
		} else {
			v.warn(object, what, r)
		}
	}
}

// isHeldUp tells that a dead webhook of somebody else was to be asked about the question itself, since its rules name everything.
func (v *view) isHeldUp(err error) bool {
	asked := notAsked.FindStringSubmatch(message(err))
	return asked != nil && !slices.Contains(v.options.Skip, foreignWebhooksAnswer.Name) &&
		slices.ContainsFunc(v.aside().foreignHooks(), func(h foreignHook) bool {
			return h.Name == asked[1] && !isIgnore(h.FailurePolicy) && v.aside().dead(h) != ""
		})
}

// may the account of the server do that?
func (v *view) may(account string, r right) (bool, error) {
	attributes := r.ResourceAttributes
	review := authorizationv1.SubjectAccessReview{Spec: authorizationv1.SubjectAccessReviewSpec{
		User:               "system:serviceaccount:" + v.options.Namespace + ":" + account,
		Groups:             []string{"system:serviceaccounts", "system:serviceaccounts:" + v.options.Namespace, "system:authenticated"},
		ResourceAttributes: &attributes,
	}}
	answer, err := post[authorizationv1.SubjectAccessReview](v, subjectAccessReviews.path("", ""), review)
	return err == nil && answer.Status.Allowed, err
}
