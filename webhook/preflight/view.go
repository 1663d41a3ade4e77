package preflight

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"unicode"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
)

// view is what one check sees of the cluster, and where it puts what it finds.
type view struct {
	ctx      context.Context // a view lives as long as the call of one check
	options  Options
	cluster  *cluster
	check    Check
	findings []Finding
	earlier  []Result // of the checks before
	follows  string   // the check whose problem explains what this one would find
}

// report a finding of the check's own severity.
func (v *view) report(object Object, what string, r remedy) { v.add(v.check.Severity, object, what, r) }

// warn of something that is less than the check's own severity.
func (v *view) warn(object Object, what string, r remedy) { v.add(Warning, object, what, r) }

// doubt that all is well, where it could not be looked at.
func (v *view) doubt(object Object, what string, r remedy) { v.add(Unknown, object, what, r) }

func (v *view) add(severity Severity, object Object, what string, r remedy) {
	v.findings = append(v.findings, Finding{severity, object, oneLine(what), oneLine(r.text), r.command})
}

// oneLine of a text that may have words of others in it, as a webhook's reason to refuse: they must not look like lines of
// ours, nor change a terminal.
func oneLine(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsPrint(r) {
			return r
		}
		return ' '
	}, text)
}

// found reports whether one of these checks, which are made before, came upon a problem.
func (v *view) found(checks ...Check) bool {
	return slices.ContainsFunc(v.earlier, func(r Result) bool {
		return r.Count(Problem) > 0 && slices.ContainsFunc(checks, func(c Check) bool { return c.Name == r.Check.Name })
	})
}

// explained reports whether a problem of one of these checks says why this one finds something, or cannot look. The result notes which.
func (v *view) explained(checks ...Check) bool {
	for _, c := range checks {
		if v.found(c) {
			v.follows = c.Name
			return true
		}
	}
	return false
}

// orSkip ends a remedy for what may not be looked at.
const orSkip = ", or leave out with --skip what needs it"

// WithoutSkip gives a remedy for those who cannot leave out a check.
func WithoutSkip(remedy string) string { return strings.Replace(remedy, orSkip, "", 1) }

// unseen notes that something could not be looked at, which is a finding of its own.
func (v *view) unseen(object Object, verb string, r resource, err error) {
	cause, remedy := message(err), "find out why the API server does not answer, then run preflight again"
	if refused(err) {
		_, cause, _ = strings.Cut(cause, " is forbidden: ")
		remedy = fmt.Sprintf("allow %s on %s", verb, r)
		if object.Namespace != "" {
			remedy += " in namespace " + object.Namespace
		}
		remedy += orSkip
	}
	if asked := notAsked.FindStringSubmatch(message(err)); asked != nil {
		remedy = fmt.Sprintf("the webhook %s keeps the API server from answering: start what it belongs to, or have its owner narrow its rules, then run preflight again", asked[1])
	}
	v.doubt(object, "could not look: "+cmp.Or(cause, message(err)), say("%s", remedy))
}

// get an object, which all checks share and none changes. It is nil when there is none; seen is false when nobody can say.
func get[T any](v *view, r resource, namespace, name string) (object *T, seen bool) {
	path := r.path(namespace, name)
	body, err := v.cluster.get(v.ctx, path, nil)
	if apierrors.IsNotFound(err) {
		return nil, true
	}
	key := fmt.Sprintf("%T %s", object, path)
	if known, ok := v.cluster.decoded[key].(*T); ok {
		return known, true
	}
	if err == nil {
		object, err = decode[T](body)
	}
	if err != nil {
		v.unseen(r.object(namespace, name), "get", r, err)
		return nil, false
	}
	v.cluster.decoded[key] = object
	return object, true
}

// list objects by a label selector, or all.
func list[T any](v *view, r resource, namespace, selector string) (all []T, seen bool) {
	var params map[string]string
	if selector != "" {
		params = map[string]string{"labelSelector": selector}
	}
	body, err := v.cluster.get(v.ctx, r.path(namespace, ""), params)
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
