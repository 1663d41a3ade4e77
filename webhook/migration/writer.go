package migration

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"k8s.io/apiextensions-apiserver/pkg/apihelpers"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/utils/ptr"
)

const (
	// pageSize is kubectl's: a page of claims of 3 KiB is 1.5 MB to convert, a tenth of a second.
	pageSize = 500
	// writeTries are how often others may be faster with one object. The API server has tried five times itself by then.
	writeTries = 5
	// faultsInARow are more than there are, one beside the other, of objects that an API server cannot read, which it answers like a
	// fault of its own. Refusals are not counted: all claims of a namespace may be forbidden, and those behind it are not.
	faultsInARow = 3
	// obstacleTries with a pause between them outlast a replica that is replaced.
	obstacleTries = 3
	obstaclePause = time.Second
)

// writer of all objects of a definition.
type writer struct {
	*definition
	progress *Progress
	faults   int // of the API server, in a row
}

// all objects that there are, page by page. Those that come meanwhile are stored in the new version.
func (w *writer) all(ctx context.Context) error {
	for next := ""; ; {
		page, err := w.page(ctx, next)
		if err != nil {
			return err
		}
		for i := range page.Items {
			if err := w.write(ctx, &page.Items[i]); err != nil {
				return err
			}
		}
		w.progress.Left = int(ptr.Deref(page.RemainingItemCount, 0))
		w.Progress(*w.progress)
		if next = page.Continue; next == "" {
			return nil
		}
	}
}

// page of names. One object that does not convert fails a page of a version in which it is not stored, so every version is
// tried in which there may be objects; and smaller pages, since each of two may be stored in a version of its own.
func (w *writer) page(ctx context.Context, next string) (*metav1.PartialObjectMetadataList, error) {
	var first error
	for limit := int64(pageSize); limit > 0; limit /= 5 {
		for _, version := range append([]string{newest}, w.old()...) {
			if !apihelpers.HasServedCRDVersion(w.CustomResourceDefinition, version) {
				continue
			}
			page, err := w.in(version).List(ctx, metav1.ListOptions{Limit: limit, Continue: next})
			if status, ok := errors.AsType[*apierrors.StatusError](err); ok && apierrors.IsResourceExpired(err) && status.ErrStatus.Continue != "" {
				// It took longer than etcd keeps the past: from here on the list is that of now, which is as good.
				next = status.ErrStatus.Continue
				page, err = w.in(version).List(ctx, metav1.ListOptions{Limit: limit, Continue: next})
			}
			switch {
			case err == nil:
				return page, nil
			case ctx.Err() != nil:
				return nil, ctx.Err()
			}
			first = cmp.Or(first, err)
			if apierrors.IsForbidden(err) || apierrors.IsUnauthorized(err) {
				return nil, doing("list "+w.Name, err)
			}
		}
	}
	return nil, doing("list "+w.Name, first)
}

// write an object as it is. An error ends the run; one of the object alone is reported.
func (w *writer) write(ctx context.Context, o *metav1.PartialObjectMetadata) error {
	is, err := w.patch(ctx, o)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if _, stop := errors.AsType[*ObstacleError](err); stop {
		return err
	}
	w.progress.Done++
	if err == nil && is.ResourceVersion != o.ResourceVersion {
		w.progress.Written++
	}
	if err != nil && !apierrors.IsNotFound(err) { // else it was deleted since
		w.progress.Failed++
		w.Failed(Failure{Object: fmt.Sprintf("%s %s/%s", w.Name, o.Namespace, o.Name), Namespace: o.Namespace, Name: o.Name, Err: err})
	}
	if !apierrors.IsInternalError(err) || ofConversion(err) {
		w.faults = 0
	} else if w.faults++; w.faults == faultsInARow {
		return &ObstacleError{NoServer, w.patching(), err}
	}
	return nil
}

// patch an object, again and again as long as others are faster or nobody answers.
func (w *writer) patch(ctx context.Context, o *metav1.PartialObjectMetadata) (*metav1.PartialObjectMetadata, error) {
	options := metav1.PatchOptions{FieldManager: fieldManager}
	if w.DryRun {
		options.DryRun = []string{metav1.DryRunAll}
	}
	for conflicts, obstacles := 1, 1; ; {
		is, err := w.in(newest).Namespace(o.Namespace).Patch(ctx, o.Name, types.MergePatchType, []byte("{}"), options)
		if apierrors.IsConflict(err) && conflicts < writeTries {
			conflicts++
			continue
		}
		met := obstacle(w.patching(), err)
		switch {
		case met == nil:
			return is, err
		case !met.passing() || obstacles == obstacleTries:
			return nil, met
		}
		obstacles++
		if err := pause(ctx, obstaclePause); err != nil {
			return nil, err
		}
	}
}

func (w *writer) patching() string { return "patch " + w.Name }
