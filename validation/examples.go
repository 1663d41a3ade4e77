package validation

import (
	"embed"
	"path"
	"strings"
)

// exampleFiles are 1.1 MB, a quarter of them one example of annotations that are too long.
//
//go:embed testdata/*/*.yaml
var exampleFiles embed.FS

// Example of a rule.
type Example struct {
	// File name, for instance bad-v1alpha3.yaml.
	File string `json:"file"`
	// Refused by the rule, else accepted.
	Refused bool `json:"refused"`
	// Text in YAML: comments that say in words what is right or wrong, which operation it is and what is expected; then
	// the object, or for an update the old and the new one. The project's tests judge all of them.
	Text string `json:"text"`
}

// Examples of a rule by its name, those that are accepted first; nil for a name that is no rule's.
func Examples(rule string) []Example {
	dir := path.Join("testdata", path.Base(rule))
	files, err := exampleFiles.ReadDir(dir)
	if err != nil {
		return nil
	}
	var accepted, refused []Example
	for _, file := range files {
		text, err := exampleFiles.ReadFile(path.Join(dir, file.Name()))
		if err != nil {
			return nil // an embedded file can be read
		}
		e := Example{File: file.Name(), Refused: strings.HasPrefix(file.Name(), "bad-"), Text: string(text)}
		if e.Refused {
			refused = append(refused, e)
		} else {
			accepted = append(accepted, e)
		}
	}
	return append(accepted, refused...)
}
