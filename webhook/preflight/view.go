package preflight

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
)

// view is what one check sees of the cluster, and where it puts what it finds.
type view struct {
	ctx      context.Context // a view lives as long as the call of one check
	options  Options
	cluster  *cluster
	check    Check
	findings []Finding
}

// report a finding of the check's own severity.
func (v *view) report(object Object, what, remedy string) {
	v.findings = append(v.findings, Finding{v.check.Severity, object, what, remedy})
}

// warn of something that is less than the check's own severity.
func (v *view) warn(object Object, what, remedy string) {
	v.findings = append(v.findings, Finding{Warning, object, what, remedy})
}

// unseen notes that something could not be looked at, which is a finding of its own.
func (v *view) unseen(object Object, verb string, r resource, err error) {
	cause, remedy := message(err), "find out why the API server does not answer, then run preflight again"
	if refused(err) {
		_, cause, _ = strings.Cut(cause, " is forbidden: ")
		remedy = fmt.Sprintf("allow %s on %s", verb, r)
		if object.Namespace != "" {
			remedy += " in namespace " + object.Namespace
		}
		remedy += ", or leave out with --skip what needs it"
	}
	v.findings = append(v.findings, Finding{Unknown, object, "could not look: " + cmp.Or(cause, message(err)), remedy})
}

// get an object. It is nil when there is none; seen is false when nobody can say.
func get[T any](v *view, r resource, namespace, name string) (object *T, seen bool) {
	body, err := v.cluster.get(v.ctx, asJSON, r.path(namespace, name), nil)
	if apierrors.IsNotFound(err) {
		return nil, true
	}
	if err == nil {
		object, err = decode[T](body)
	}
	if err != nil {
		v.unseen(r.object(namespace, name), "get", r, err)
		return nil, false
	}
	return object, true
}

// list objects by a label selector, or all.
func list[T any](v *view, r resource, namespace, selector string) (all []T, seen bool) {
	var params map[string]string
	if selector != "" {
		params = map[string]string{"labelSelector": selector}
	}
	body, err := v.cluster.get(v.ctx, asJSON, r.path(namespace, ""), params)
	var items *struct{ Items []T }
	if err == nil {
		items, err = decode[struct{ Items []T }](body)
	}
	if err != nil {
		v.unseen(r.object(namespace, ""), "list", r, err)
		return nil, false
	}
	return items.Items, true
}
