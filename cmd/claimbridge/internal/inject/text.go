package inject

import (
	"fmt"

	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/input"
	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/manifest"
	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/splice"
)

// text of a file with the sidecar in its pods.
func (r *Run) text(where string, text []byte) []byte {
	var changed []byte
	kept := 0
	for d, err := range manifest.Documents(text, where) {
		if err != nil {
			r.log.Error(err)
			continue
		}
		is, err := r.document(d)
		if err != nil {
			r.log.Document(d, err)
		}
		if _, begin, end := d.Source(); is != nil {
			changed, kept = append(append(changed, text[kept:begin]...), is...), end
		}
	}
	return append(changed, text[kept:]...)
}

// document is nil where it stays as it is.
func (r *Run) document(d *manifest.Document) ([]byte, error) {
	raw, err := d.Object(false)
	if err != nil {
		return nil, err
	}
	before, failed := r.changed, r.log.Failed
	r.log.Locate = d.Locate
	wanted := r.object(raw, d.Position)
	if r.changed == before || r.log.Failed > failed {
		return nil, nil
	}
	source, _, _ := d.Source()
	if manifest.HasBraces(source) && input.InChart(d.File) {
		return nil, manifest.ErrInChart
	}
	result, err := splice.Edit(source, wanted, nil)
	if err != nil {
		return nil, fmt.Errorf("%w; change it by hand", err)
	}
	return result.Text, nil
}
