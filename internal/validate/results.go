package validate

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"sigs.k8s.io/yaml"

	"github.com/claimbridge/claimbridge/internal/conversion"
	"github.com/claimbridge/claimbridge/internal/findings"
	"github.com/claimbridge/claimbridge/internal/terminal"
	"github.com/claimbridge/claimbridge/internal/yamldoc"
	"github.com/claimbridge/claimbridge/validation"
)

// Formats returns the formats of results. The first is the default, for people.
func Formats() []string { return []string{"text", "json", "yaml"} }

// results writes results in a format.
type results struct {
	w      io.Writer
	format string
	// rejectedOnly is set to write rejected objects only, as text.
	rejectedOnly bool

	errorCount, warningCount int
}

// resultTotals are the last object of the results. docs/schemas/results.json is the schema of all of them.
type resultTotals struct {
	Errors   int `json:"errors"`
	Warnings int `json:"warnings"`
	Checked  int `json:"checked"`
	Rejected int `json:"rejected"`
}

// resultLine is the JSON of a result. It always has all keys.
type resultLine struct {
	File     string `json:"file"`
	Document int    `json:"document"`
	// Item is the path of a list item or of a nested object, such as items[7]. It is empty for a document.
	Item string `json:"item"`
	Line int    `json:"line"` // 0 when it is not known
	findings.Object
	Allowed  bool         `json:"allowed"`
	Errors   []resultItem `json:"errors"`
	Warnings []string     `json:"warnings"`
}

// resultItem is a reason for a rejection. It omits the value, as the text format does, because the value may be a
// handle with credentials.
type resultItem struct {
	Rule    string `json:"rule"` // empty for a rejection before any rule is checked
	Type    string `json:"type"`
	Field   string `json:"field"`
	Message string `json:"message"`
}

// write writes the result of an object of a document.
func (v *results) write(d *yamldoc.Document, at yamldoc.Position, h conversion.Header, result validation.Result) error {
	v.errorCount += len(result.Errors)
	v.warningCount += len(result.Warnings)
	switch {
	case v.format != Formats()[0]:
		return v.writeObject(resultLineOf(at, h, result))
	case v.rejectedOnly && len(result.Errors) == 0:
		return nil
	}
	return v.writeText(d, at, h, result)
}

// writeTotals writes the totals, for programs.
func (v *results) writeTotals(checked, rejected int) error {
	if v.format == Formats()[0] {
		return nil
	}
	return v.writeObject(struct {
		Totals resultTotals `json:"totals"`
	}{resultTotals{Errors: v.errorCount, Warnings: v.warningCount, Checked: checked, Rejected: rejected}})
}

// writeObject writes an object as JSON or YAML.
func (v *results) writeObject(object any) error {
	if v.format == "json" {
		encoder := json.NewEncoder(v.w)
		encoder.SetEscapeHTML(false)
		return encoder.Encode(object)
	}
	out, err := yaml.Marshal(object)
	if err == nil {
		_, err = fmt.Fprintf(v.w, "---\n%s", out)
	}
	return err
}

func resultLineOf(at yamldoc.Position, h conversion.Header, result validation.Result) resultLine {
	line := resultLine{
		File: at.File, Document: at.Document, Item: at.Item(), Line: at.Line,
		Object:  findings.ObjectOf(h),
		Allowed: len(result.Errors) == 0, Errors: []resultItem{}, Warnings: append([]string{}, result.Warnings...),
	}
	for _, e := range result.Errors {
		line.Errors = append(line.Errors, resultItem{
			Rule: e.Rule, Type: string(e.Type), Field: e.Field, Message: findings.Reason(e),
		})
	}
	return line
}

func (v *results) writeText(
	d *yamldoc.Document, at yamldoc.Position, h conversion.Header, result validation.Result,
) error {
	var b strings.Builder
	allowed := "allowed"
	if len(result.Errors) > 0 {
		allowed = "rejected"
	}
	line := func(format string, args ...any) {
		fmt.Fprintln(&b, terminal.Printable(fmt.Sprintf(format, args...)))
	}
	line("%s: %s: %s", at, h, allowed)
	for _, e := range result.Errors {
		field := e.Field
		if number, _ := d.Locate(at.Items, field); number > 0 {
			field = fmt.Sprintf("%s (line %d)", field, number)
		}
		line("  %s: %s", field, findings.ReasonAndRule(e))
	}
	for _, warning := range result.Warnings {
		line("  warning: %s", warning)
	}
	_, err := io.WriteString(v.w, b.String())
	return err
}
