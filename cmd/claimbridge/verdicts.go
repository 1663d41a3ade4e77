package main

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/manifest"
	"github.com/claimbridge/claimbridge/conversion"
	"github.com/claimbridge/claimbridge/validation"
)

// verdicts writes verdicts as text or JSON.
type verdicts struct {
	w    io.Writer
	json bool
}

// verdictLine is the JSON of a verdict. All keys are always there.
type verdictLine struct {
	Name      string        `json:"name"`
	Namespace string        `json:"namespace"`
	Allowed   bool          `json:"allowed"`
	Errors    []verdictItem `json:"errors"`
	Warnings  []string      `json:"warnings"`
}

type verdictItem struct {
	Type   string `json:"type"`
	Field  string `json:"field"`
	Detail string `json:"detail"`
}

func (v verdicts) write(at manifest.Position, h conversion.Header, verdict validation.Verdict) error {
	if v.json {
		line := verdictLine{
			Name: h.Name, Namespace: h.Namespace, Allowed: len(verdict.Errors) == 0,
			Errors: []verdictItem{}, Warnings: append([]string{}, verdict.Warnings...),
		}
		for _, e := range verdict.Errors {
			line.Errors = append(line.Errors, verdictItem{Type: string(e.Type), Field: e.Field, Detail: e.Detail})
		}
		encoder := json.NewEncoder(v.w)
		encoder.SetEscapeHTML(false)
		return encoder.Encode(line)
	}
	var b strings.Builder
	allowed := "allowed"
	if len(verdict.Errors) > 0 {
		allowed = "refused"
	}
	fmt.Fprintf(&b, "%s: %s: %s\n", at, h, allowed)
	for _, e := range verdict.Errors {
		// The value is left out: it may be a handle, and handles may hold credentials.
		fmt.Fprintf(&b, "  %s: %s", e.Field, e.Type)
		if e.Detail != "" {
			fmt.Fprintf(&b, ": %s", e.Detail)
		}
		if e.Rule != "" {
			fmt.Fprintf(&b, " (%s)", e.Rule)
		}
		b.WriteByte('\n')
	}
	for _, warning := range verdict.Warnings {
		fmt.Fprintf(&b, "  warning: %s\n", warning)
	}
	_, err := io.WriteString(v.w, b.String())
	return err
}
