package migration

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

const finished = `patch status of definition {"metadata":{"resourceVersion":"7","uid":"1"},"status":{"storedVersions":["v1"]}}`

func twoPages() map[string]fakePage {
	return map[string]fakePage{
		"":       {names: []string{"a", "b"}, next: "page-2", left: 1},
		"page-2": {names: []string{"c"}},
		"now":    {names: []string{"c", "d"}},
	}
}

// once refuses the first request of a kind.
func once(asked string, err *apierrors.StatusError) func(string) *apierrors.StatusError {
	return func(is string) *apierrors.StatusError {
		if is != asked {
			return nil
		}
		asked = ""
		return err
	}
}

func expired(next string) *apierrors.StatusError {
	return &apierrors.StatusError{ErrStatus: metav1.Status{
		Status: metav1.StatusFailure, Code: http.StatusGone, Reason: metav1.StatusReasonExpired, Message: "too old", ListMeta: metav1.ListMeta{Continue: next},
	}}
}

func unread(limits ...string) func(string) *apierrors.StatusError {
	return func(asked string) *apierrors.StatusError {
		for _, limit := range limits {
			if strings.Contains(asked, "limit="+limit+" ") {
				return apierrors.NewInternalError(fmt.Errorf("conversion webhook for claims.example.com/v1alpha3, Kind=ResourceClaim failed: a: spec: no object"))
			}
		}
		return nil
	}
}

// All pages are read to the end and each of their claims is written, and only then the definition is told so.
func TestEveryPageIsWritten(t *testing.T) {
	list := func(version string, limit int, next string) string {
		return fmt.Sprintf("list %s limit=%d continue=%s", version, limit, next)
	}
	for name, test := range map[string]struct {
		refuse func(string) *apierrors.StatusError
		dryRun bool
		want   []string // beside the first look at the definition
		done   int
		gone   int  // of these
		unread bool // so that the definition stays as it is
	}{
		"two pages": {
			want: []string{
				list("v1", 500, ""), "patch a", "patch b", list("v1", 500, "page-2"), "patch c",
				"get definition", finished,
			},
			done: 3,
		},
		"a dry run": {
			dryRun: true,
			want:   []string{list("v1", 500, ""), "try a", "try b", list("v1", 500, "page-2"), "try c"},
			done:   3,
		},
		"a claim is deleted at the same time": {
			refuse: once("patch b", apierrors.NewNotFound(definitionsResource.GroupResource(), "b")),
			want:   []string{list("v1", 500, ""), "patch a", "patch b", list("v1", 500, "page-2"), "patch c", "get definition", finished},
			done:   3, gone: 1,
		},
		"a claim is written by others at the same time": {
			refuse: once("patch b", apierrors.NewConflict(definitionsResource.GroupResource(), "b", fmt.Errorf("changed"))),
			want:   []string{list("v1", 500, ""), "patch a", "patch b", "patch b", list("v1", 500, "page-2"), "patch c", "get definition", finished},
			done:   3,
		},
		"the second page is older than etcd keeps, and the list goes on as it is now": {
			refuse: once(list("v1", 500, "page-2"), expired("now")),
			want: []string{
				list("v1", 500, ""), "patch a", "patch b", list("v1", 500, "page-2"), list("v1", 500, "now"), "patch c", "patch d",
				"get definition", finished,
			},
			done: 4,
		},
		"the second page is older than etcd keeps, and nobody says how to go on": {
			refuse: func(asked string) *apierrors.StatusError {
				if strings.HasSuffix(asked, "continue=page-2") {
					return expired("")
				}
				return nil
			},
			want: []string{
				list("v1", 500, ""), "patch a", "patch b",
				list("v1", 500, "page-2"), list("v1alpha3", 500, "page-2"), list("v1", 100, "page-2"), list("v1alpha3", 100, "page-2"),
				list("v1", 20, "page-2"), list("v1alpha3", 20, "page-2"), list("v1", 4, "page-2"), list("v1alpha3", 4, "page-2"),
			},
			done: 2, unread: true,
		},
		"pages of 500 and 100 do not convert, and smaller ones do": {
			refuse: unread("500", "100"),
			want: []string{
				list("v1", 500, ""), list("v1alpha3", 500, ""), list("v1", 100, ""), list("v1alpha3", 100, ""), list("v1", 20, ""), "patch a", "patch b",
				list("v1", 500, "page-2"), list("v1alpha3", 500, "page-2"), list("v1", 100, "page-2"), list("v1alpha3", 100, "page-2"), list("v1", 20, "page-2"), "patch c",
				"get definition", finished,
			},
			done: 3,
		},
		"a page that only the old version shows": {
			refuse: once(list("v1", 500, ""), apierrors.NewInternalError(fmt.Errorf("conversion webhook for x failed: a: spec: no object"))),
			want: []string{
				list("v1", 500, ""), list("v1alpha3", 500, ""), "patch a", "patch b", list("v1", 500, "page-2"), "patch c",
				"get definition", finished,
			},
			done: 3,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			cluster := &fakeCluster{pages: twoPages(), refuse: test.refuse}
			var left []int
			outcome, failed, err := cluster.run(t, Options{DryRun: test.dryRun, Progress: func(p Progress) { left = append(left, p.Left) }})
			if (err != nil) != test.unread || len(failed) > 0 || outcome.Finished != (!test.dryRun && !test.unread) || outcome.Done != test.done || outcome.Written != test.done-test.gone {
				t.Errorf("%v, %q failed, %+v", err, failed, outcome)
			}
			if diff := cmp.Diff(append([]string{"get definition"}, test.want...), cluster.asked); diff != "" {
				t.Errorf("asked for (-want +got):\n%s", diff)
			}
			if len(left) == 0 || left[0] != 1 || len(left) == 2 && left[1] != 0 {
				t.Errorf("left after each page: %d", left)
			}
		})
	}
}
