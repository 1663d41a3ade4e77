package splice

import (
	"bytes"

	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/manifest"
)

// commentsOf a document, in their order.
func commentsOf(d *manifest.Document) (found []string, err error) {
	if bytes.IndexByte(d.Text(), '#') < 0 {
		return nil, nil
	}
	s, err := readYAML(d)
	if err != nil {
		return nil, err
	}
	for _, c := range s.comments {
		found = append(found, string(s.text[c.begin:c.end]))
	}
	return found, nil
}
