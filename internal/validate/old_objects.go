package validate

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"

	"github.com/claimbridge/claimbridge/api"
	"github.com/claimbridge/claimbridge/internal/conversion"
	"github.com/claimbridge/claimbridge/internal/input"
	"github.com/claimbridge/claimbridge/internal/objectjson"
	"github.com/claimbridge/claimbridge/internal/yamldoc"
)

// maxOld limits the total size of the objects of --old, because they are kept in memory: 512 MiB is 160,000 claims of 3
// KiB, more than the 150,000 pods that a Kubernetes cluster may have.
const maxOld = 512 << 20

// oldObjects are the objects before the write, by group, kind, namespace and name.
type oldObjects map[conversion.Header][]byte

func keyOf(h conversion.Header) conversion.Header {
	return conversion.Header{Group: h.Group, Kind: h.Kind, Namespace: h.Namespace, Name: h.Name}
}

// find returns the old object, in the version of the new one.
func (o oldObjects) find(h conversion.Header) ([]byte, error) {
	raw, found := o[keyOf(h)]
	if !found {
		return nil, errors.New("there is no object of this kind, namespace and name in --old")
	}
	old, _, err := conversion.ConvertJSON(raw, h.Version, conversion.Options{})
	if err != nil {
		return nil, fmt.Errorf("the old object cannot be converted to %s: %w", h.Version, err)
	}
	return old, nil
}

// readOld reads the objects that --old names. Any error stops the validation, because an update cannot be validated
// without its old object.
func (v *validator) readOld(in input.Input, stdin io.Reader) (oldObjects, error) {
	old, size := oldObjects{}, 0
	var firstErr error
	err := in.Each(stdin, func(err error) {
		if input.IsWarning(err) {
			v.reportError(err)
		} else if firstErr == nil {
			firstErr = err
		}
	}, func(d *yamldoc.Document) error {
		for o, err := range v.Groups.Objects(d) {
			if err == nil && o.IsClaim {
				size += len(o.TypedJSON)
				err = old.add(o.TypedJSON, size)
			}
			if err != nil {
				return &yamldoc.DocumentError{Position: o.Position, Err: err}
			}
		}
		return nil
	})
	if err = cmp.Or(err, firstErr); err != nil {
		return nil, fmt.Errorf("--old: %w", err)
	}
	return old, nil
}

// add adds a claim. The size is the total with this claim.
func (o oldObjects) add(raw []byte, size int) error {
	h, err := conversion.ReadHeader(raw)
	if err != nil {
		return err
	}
	if object := api.New(h.Version, h.Kind); object != nil {
		if _, err := objectjson.Decode(raw, object); err != nil {
			return fmt.Errorf("%s: %w", h, err)
		}
	}
	if _, isDuplicate := o[keyOf(h)]; isDuplicate {
		return fmt.Errorf("%s is duplicated", h)
	}
	if size > maxOld {
		return fmt.Errorf("the claims up to this one exceed %d MiB, the limit of --old: validate fewer claims in one run",
			maxOld>>20)
	}
	o[keyOf(h)] = bytes.Clone(raw)
	return nil
}
