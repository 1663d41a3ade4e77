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

// jsonFinding is the JSON of a finding. All keys are always there.
type jsonFinding struct {
	Rule     string           `json:"rule"`
	Severity finding.Severity `json:"severity"`
	File     string           `json:"file"`
	// Line and Column are 0 when they are not known, and so is Document for a file that is none.
	Line       int    `json:"line"`
	Column     int    `json:"column"`
	Document   int    `json:"document"`
	Item       string `json:"item"`
	APIVersion string `json:"apiVersion"`
	Kind       string `json:"kind"`
	Namespace  string `json:"namespace"`
	Name       string `json:"name"`
	Field      string `json:"field"`
	Message    string `json:"message"`
	Fixed      bool   `json:"fixed"`
}

func (j jsonLines) add(f finding.Finding) error {
	return j.Encode(jsonFinding{
		Rule: f.Rule, Severity: f.Severity, File: f.File, Line: f.Line, Column: f.Column, Document: f.Document, Item: f.Item,
		APIVersion: f.APIVersion, Kind: f.Kind, Namespace: f.Namespace, Name: f.Name, Field: f.Field, Message: f.Message, Fixed: f.Fixed,
	})
}

func (j jsonLines) end() error { return nil }
