// Package examples has examples of each rule of package validation: objects that the rule accepts and objects that it
// rejects. Only the command line and tests import it, so that programs that validate do not contain the examples.
package examples

import (
	"embed"
	"path"
	"strings"
)

// files are 1.1 MB, a quarter of them one example of annotations that are too long.
//
//go:embed */*.yaml
var files embed.FS

// Example is an example of a rule.
type Example struct {
	// File name, for instance bad-v1alpha3.yaml.
	File string `json:"file"`
	// Rejected is set when the rule rejects the example. Its name in JSON stays for compatibility.
	Rejected bool `json:"refused"`
	// Text in YAML: comments with the reason, the operation and the expected errors; then the object, or for an update
	// the old object and the new one.
	Text string `json:"text"`
}

// ForRule returns the examples of a rule by its name, accepted ones first. It returns nil when there is no such rule.
func ForRule(rule string) []Example {
	dir := path.Base(rule)
	entries, err := files.ReadDir(dir)
	if err != nil || dir == "." {
		return nil
	}
	var accepted, rejected []Example
	for _, entry := range entries {
		text, err := files.ReadFile(path.Join(dir, entry.Name()))
		if err != nil {
			return nil // an embedded file can be read
		}
		e := Example{File: entry.Name(), Rejected: strings.HasPrefix(entry.Name(), "bad-"), Text: string(text)}
		if e.Rejected {
			rejected = append(rejected, e)
		} else {
			accepted = append(accepted, e)
		}
	}
	return append(accepted, rejected...)
}
