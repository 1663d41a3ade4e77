package validate

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"sigs.k8s.io/yaml"

	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/finding"
	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/manifest"
	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/problems"
	"github.com/claimbridge/claimbridge/conversion"
	"github.com/claimbridge/claimbridge/validation"
)

// Formats of verdicts, the one for people first.
func Formats() []string { return []string{"text", "json", "yaml"} }

// verdicts writes verdicts in a format.
type verdicts struct {
	w      io.Writer
	format string
	// locate a field of the document.
	locate func(items []int, field string) (line, column int)
}

// verdictLine is the JSON of a verdict. All keys are always there.
type verdictLine struct {
	File     string `json:"file"`
	Document int    `json:"document"`
	// Item is the path of an item of a list, as items[7].
	Item string `json:"item"`
	Line int    `json:"line"` // 0 when it is not known
	finding.Object
	Allowed  bool          `json:"allowed"`
	Errors   []verdictItem `json:"errors"`
	Warnings []string      `json:"warnings"`
}

// verdictItem is one reason for a refusal. Like the text it leaves out the value: it may be a
// handle, and handles may hold credentials.
type verdictItem struct {
	Rule    string `json:"rule"` // empty for what was refused before any rule was asked
	Type    string `json:"type"`
	Field   string `json:"field"`
	Message string `json:"message"`
}

func (v verdicts) write(at manifest.Position, h conversion.Header, verdict validation.Verdict) error {
	switch v.format {
	case "json":
		encoder := json.NewEncoder(v.w)
		encoder.SetEscapeHTML(false)
		return encoder.Encode(lineOf(at, h, verdict))
	case "yaml":
		out, err := yaml.Marshal(lineOf(at, h, verdict))
		if err == nil {
			_, err = fmt.Fprintf(v.w, "---\n%s", out)
		}
		return err
	}
	return v.text(at, h, verdict)
}

func lineOf(at manifest.Position, h conversion.Header, verdict validation.Verdict) verdictLine {
	line := verdictLine{
		File: at.File, Document: at.Document, Item: at.Item(), Line: at.Line,
		Object:  finding.Object{APIVersion: h.APIVersion(), Kind: h.Kind, Namespace: h.Namespace, Name: h.Name},
		Allowed: len(verdict.Errors) == 0, Errors: []verdictItem{}, Warnings: append([]string{}, verdict.Warnings...),
	}
	for _, e := range verdict.Errors {
		line.Errors = append(line.Errors, verdictItem{
			Rule: e.Rule, Type: string(e.Type), Field: e.Field, Message: problems.Reason(e),
		})
	}
	return line
}

func (v verdicts) text(at manifest.Position, h conversion.Header, verdict validation.Verdict) error {
	var b strings.Builder
	allowed := "allowed"
	if len(verdict.Errors) > 0 {
		allowed = "refused"
	}
	line := func(format string, args ...any) {
		fmt.Fprintln(&b, finding.Printable(fmt.Sprintf(format, args...)))
	}
	line("%s: %s: %s", at, h, allowed)
	for _, e := range verdict.Errors {
		field := e.Field
		if number, _ := v.locate(at.Items, field); number > 0 {
			field = fmt.Sprintf("%s (line %d)", field, number)
		}
		line("  %s: %s", field, problems.ReasonAndRule(e))
	}
	for _, warning := range verdict.Warnings {
		line("  warning: %s", warning)
	}
	_, err := io.WriteString(v.w, b.String())
	return err
}
