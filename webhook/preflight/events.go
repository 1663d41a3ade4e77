package preflight

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/rest"

	"github.com/claimbridge/claimbridge/api"
)

// WriteEvents has the problems among results seen where people look first: as Events of the definition of claims or of templates,
// which kubectl describe shows. The options are those of the run. Warnings, and what could not be looked at, are no Events.
//
// There is one Event of a check and an object, whoever writes it and however often: what is found again counts up, and has its time and its
// text renewed. So there are never more of them than checks on each object, and an API server forgets one that nobody renewed for an hour
// (--event-ttl). They are in the namespace default, where API servers keep those of objects without a namespace. The first that could not
// be written is the error, with the right that is missing.
func WriteEvents(ctx context.Context, client *rest.Config, o Options, results []Result) error {
	if !slices.ContainsFunc(results, func(r Result) bool { return r.Count(Problem) > 0 }) {
		return nil
	}
	c, o, err := begin(ctx, client, o)
	if err != nil {
		return err
	}
	v := &view{ctx: ctx, options: o, cluster: c}
	objects := v.noted()
	if len(objects) == 0 {
		return errors.New("no Event could be written: " + v.nothingNoted())
	}
	for _, n := range notes(objects, results) {
		if err := c.write(ctx, n); err != nil { // as the next one would fail, for want of the same right
			return err
		}
	}
	return nil
}

// note is what a check has to say of an object.
type note struct {
	noted
	check    string
	findings []Finding
}

// noted is an object that Events are about.
type noted struct {
	resource
	name string
	uid  types.UID
}

// notes of problems. One about something else, as a Service, is noted at the first object.
func notes(objects []noted, results []Result) (all []note) {
	for _, r := range results {
		problems := make([][]Finding, len(objects))
		for _, f := range r.Findings {
			if f.Severity == Problem {
				at := max(0, slices.IndexFunc(objects, func(n noted) bool { return n.object("", n.name) == f.Object }))
				problems[at] = append(problems[at], f)
			}
		}
		for at, findings := range problems {
			if len(findings) > 0 {
				all = append(all, note{objects[at], r.Check.Name, findings})
			}
		}
	}
	return all
}

// noted objects that are there: the definitions by the names of ours.
func (v *view) noted() (all []noted) {
	for _, plural := range []string{claims, templates} {
		if crd, _ := v.definition(plural); crd != nil {
			all = append(all, noted{definitions, crd.Name, crd.UID})
		}
	}
	return all
}

// nothingNoted says why there is no object to write Events of.
func (v *view) nothingNoted() string {
	if len(v.findings) > 0 {
		return v.findings[0].Object.String() + ": " + v.findings[0].What
	}
	return fmt.Sprintf("there is no CustomResourceDefinition %s to write it of: claimbridge is not installed for this group", v.definitionName(api.ResourceClaims))
}
