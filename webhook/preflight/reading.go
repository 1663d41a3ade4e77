package preflight

import (
	"context"
	"fmt"
	"slices"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

const (
	// pageSize is kubectl's: a page of claims of 3 KiB is 1.5 MB to convert, a tenth of a second.
	pageSize = 500
	// namedClaims that do not convert, of each version; who has more needs no longer list to begin with.
	namedClaims = 10
)

// reading of all objects of a definition, in all its versions.
type reading struct {
	*state
	*report
	ctx     context.Context
	cluster *cluster
	crd     *apiextensionsv1.CustomResourceDefinition
	done    int
	// bad objects, and what a failed list was answered with, by version.
	bad      map[string]int
	unlisted map[string]error
	// given up versions, about which there is nothing more to be learned.
	givenUp []string
}

func (r *reading) in(version string) resource { return r.state.in(r.crd, version) }

// all objects. Pages are those of the stored version, which needs no conversion to say what there is.
func (r *reading) all() {
	stored := r.in(storedVersion(r.crd))
	for next, more := "", true; more; more = next != "" {
		page, err := r.page(stored, next)
		if err != nil {
			r.unread(stored, err, nil)
			page = &metav1.PartialObjectMetadataList{}
		}
		for _, v := range servedBy(r.crd) {
			if v == stored.Version || len(page.Items) == 0 || slices.Contains(r.givenUp, v) {
				continue
			}
			if _, err := r.page(r.in(v), next); err != nil {
				r.unread(r.in(v), err, page.Items)
			} else if next == "" {
				r.read(r.in(v), page.Items[0])
			}
		}
		if r.late(page) {
			return
		}
		r.done += len(page.Items)
		next = page.Continue
	}
	r.explain()
}

func (r *reading) page(in resource, next string) (*metav1.PartialObjectMetadataList, error) {
	options := metav1.ListOptions{Limit: pageSize, Continue: next}
	return r.cluster.metadata.Resource(in.GroupVersionResource).List(r.ctx, options)
}

// late says how far it came, when the time is up.
func (r *reading) late(page *metav1.PartialObjectMetadataList) bool {
	if r.ctx.Err() == nil {
		return false
	}
	left := ""
	if page.RemainingItemCount != nil {
		left = fmt.Sprintf(" of %d", r.done+len(page.Items)+int(*page.RemainingItemCount))
	}
	stored := r.in(storedVersion(r.crd))
	r.add(Unknown, Object{Kind: stored.kind, Name: stored.Group},
		fmt.Sprintf("could not look at all of them: %d%s were read in %s", r.done, left, r.state.ClaimTimeout),
		say("give it more time with --claim-timeout"))
	return true
}

// unread page: the objects of it, each by itself, show which do not convert.
func (r *reading) unread(in resource, err error, items []metav1.PartialObjectMetadata) {
	if r.ctx.Err() != nil {
		return // late says so
	}
	// With one claim anywhere that it cannot convert an API server waits for its cache of that
	// version, and gives up. So where the objects are known each is asked for.
	if known := apierrors.IsTimeout(err) && len(items) > 0; !known && r.failed(in, "list", err) {
		return
	}
	for _, item := range items {
		if r.read(in, item); r.ctx.Err() != nil || slices.Contains(r.givenUp, in.Version) {
			return
		}
	}
	r.unlisted[in.Version] = err
}

// explain lists that failed, when no object did.
func (r *reading) explain() {
	for _, version := range r.crd.Spec.Versions {
		in, err := r.in(version.Name), r.unlisted[version.Name]
		if err != nil && r.bad[version.Name] == 0 && !r.failed(in, "list", err) {
			r.report.problem(in.itself(), "cannot be listed: "+message(err), r.inTheLog())
		}
	}
}

// read one object. Without a resourceVersion it comes from storage and is converted now, where a list may come from a
// cache that was filled while there was a server.
func (r *reading) read(in resource, item metav1.PartialObjectMetadata) {
	objects := r.cluster.metadata.Resource(in.GroupVersionResource).Namespace(item.Namespace)
	_, err := objects.Get(r.ctx, item.Name, metav1.GetOptions{})
	if err == nil || r.ctx.Err() != nil || gone(err, item.Name) || r.failed(in, "get", err) {
		return
	}
	r.bad[in.Version]++
	r.report.problem(in.object(item.Namespace, item.Name),
		fmt.Sprintf("cannot be read in %s: %s", in.Version, message(err)),
		say("mend it in a file and kubectl replace it, or delete it, through %s, which needs no conversion",
			storedVersion(r.crd)).
			by(r.kubectl("-n", item.Namespace, "get", r.in(storedVersion(r.crd)).versioned(), item.Name, "-o", "yaml")))
	if r.bad[in.Version] == namedClaims {
		r.givenUp = append(r.givenUp, in.Version)
		r.report.problem(in.itself(), fmt.Sprintf("%d cannot be read; there may be more of them", namedClaims),
			say("mend these first, then run preflight again"))
	}
}

// failed is a request that says nothing about single objects, after it was reported.
func (r *reading) failed(in resource, verb string, err error) bool {
	_, answered := status(err)
	switch c := r.uncalled(message(err)); {
	case c != nil:
		reportUncalled(r.state, r.report, c, message(err),
			"claims cannot be read in the versions in which they are not stored")
	case refusesGroup.MatchString(message(err)):
		reportOthers(r.state, r.report, message(err))
	case !answered || refused(err) || apierrors.IsTimeout(err) || apierrors.IsResourceExpired(err):
		r.findings = append(r.findings, unseen(in.itself(), verb, in, err))
	default:
		return false
	}
	r.givenUp = append(r.givenUp, in.Version)
	return true
}

// gone means that an object was deleted since, from an API server that does not know the version.
func gone(err error, name string) bool {
	s, _ := status(err)
	return apierrors.IsNotFound(err) && s.Details != nil && s.Details.Name == name
}
