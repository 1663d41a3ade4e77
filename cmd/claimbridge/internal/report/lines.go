package report

import (
	"bufio"
	"encoding/json"

	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/finding"
)

// text is a line a finding, as people read it.
type text struct{ w *bufio.Writer }

func (t text) add(f finding.Finding) error {
	_, err := t.w.WriteString(f.Text + "\n")
	return err
}

func (t text) end() error { return nil }

// jsonLines is an object a finding.
type jsonLines struct{ *json.Encoder }

func newJSON(w *bufio.Writer) jsonLines {
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	return jsonLines{encoder}
}

func (j jsonLines) add(f finding.Finding) error { return j.Encode(f) }

func (j jsonLines) end() error { return nil }
