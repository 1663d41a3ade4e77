package validate

import (
	"cmp"
	"errors"
	"fmt"
	"io"

	"github.com/claimbridge/claimbridge/api"
	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/claims"
	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/input"
	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/manifest"
	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/problems"
	"github.com/claimbridge/claimbridge/conversion"
)

// maxOld bounds the objects that --old may hold, as they are kept in memory: 512 MiB is 160,000 claims of 3 KiB, more
// than the 150,000 pods that a Kubernetes cluster may have.
const maxOld = 512 << 20

// oldObjects are the objects as they were.
type oldObjects map[oldKey][]byte

type oldKey struct{ group, kind, namespace, name string }

func keyOf(h conversion.Header) oldKey { return oldKey{h.Group, h.Kind, h.Namespace, h.Name} }

// find the old object, in the version of the new one.
func (o oldObjects) find(h conversion.Header) ([]byte, error) {
	raw, found := o[keyOf(h)]
	if !found {
		return nil, errors.New("there is no object of this kind, namespace and name in --old")
	}
	old, _, err := conversion.JSON(raw, h.Version, conversion.Options{})
	if err != nil {
		return nil, fmt.Errorf("the old object cannot be converted to %s: %w", h.Version, err)
	}
	return old, nil
}

// oldReader collects claims.
type oldReader struct {
	objects oldObjects
	size    int
}

// readOld reads what --old names. Anything wrong with it is an error: without it nothing can be judged.
func readOld(in input.Input, groups claims.Groups, stdin io.Reader, l *problems.Log) (oldObjects, error) {
	r := oldReader{objects: oldObjects{}}
	var first error
	err := in.Each(stdin, func(err error) {
		if _, skipped := errors.AsType[*input.SkippedError](err); skipped {
			l.Error(err)
		} else if first == nil {
			first = err
		}
	}, func(d *manifest.Document) error {
		for o, err := range groups.In(d) {
			if err == nil && o.IsClaim {
				err = r.object(o.Whole)
			}
			if err != nil {
				return &manifest.DocumentError{Position: o.Position, Err: err}
			}
		}
		return nil
	})
	if err = cmp.Or(err, first); err != nil {
		return nil, fmt.Errorf("--old: %w", err)
	}
	return r.objects, nil
}

func (r *oldReader) object(raw []byte) error {
	h, err := conversion.ReadHeader(raw)
	if err != nil {
		return err
	}
	if into := api.New(h.Version, h.Kind); into != nil {
		if _, err := conversion.Decode(raw, into); err != nil {
			return fmt.Errorf("%s: %w", h, err)
		}
	}
	if _, twice := r.objects[keyOf(h)]; twice {
		return fmt.Errorf("%s is there twice", h)
	}
	if r.size += len(raw); r.size > maxOld {
		return fmt.Errorf("the claims before this one are %d MiB, the limit of --old", maxOld>>20)
	}
	r.objects[keyOf(h)] = append([]byte(nil), raw...)
	return nil
}
