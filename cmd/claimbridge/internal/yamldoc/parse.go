package yamldoc

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"
)

// ParseText makes a Document of the text of one, which is YAML.
func ParseText(text []byte, at Position) (*Document, error) {
	d := &Document{Position: at, Text: text, FirstLine: max(at.Line, 1)}
	return d, d.Parse()
}

// Parse the YAML of a document that was found. The error is a *DocumentError.
func (d *Document) Parse() error {
	if d.Text == nil || d.Node != nil {
		return nil
	}
	var root yaml.Node
	if err := d.contentAfterEnd(); err != nil {
		return &DocumentError{d.Position, err}
	}
	if err := parse(d.Text, &root); err != nil {
		return &DocumentError{d.Position, asTemplateError(d.Text, withFileLine(err, d))}
	}
	if len(root.Content) == 0 || root.Content[0].Kind == yaml.ScalarNode && tagOf(root.Content[0]) == tagNull {
		return nil
	}
	d.Node = root.Content[0]
	if d.Node.Kind != yaml.MappingNode {
		return &DocumentError{d.Position, &NotObjectError{d}}
	}
	d.APIVersion, d.Kind = stringField(d.Node, "apiVersion"), stringField(d.Node, "kind")
	d.setKustomizeType()
	if metadata := lookup(d.Node, "metadata"); metadata != nil && metadata.Kind == yaml.MappingNode {
		d.Namespace, d.Name = stringField(metadata, "namespace"), stringField(metadata, "name")
	}
	return nil
}

// NotObjectError is of YAML that was parsed and is no object, but a list, say.
type NotObjectError struct{ Document *Document }

func (e *NotObjectError) Error() string { return "is not an object" }

// IsJSONPatch reports whether it is a list of the steps of a JSON patch, as kustomize keeps them in files.
func (e *NotObjectError) IsJSONPatch() bool {
	list := e.Document.Node
	return list.Kind == yaml.SequenceNode && len(list.Content) > 0 &&
		!slices.ContainsFunc(list.Content, func(step *yaml.Node) bool {
			return step.Kind != yaml.MappingNode || lookup(step, "op") == nil || lookup(step, "path") == nil
		})
}

// parse one document. What the parser does not read as part of it must not be lost without a word.
func parse(text []byte, root *yaml.Node) error {
	dec := yaml.NewDecoder(bytes.NewReader(text))
	if err := dec.Decode(root); err != nil {
		if errors.Is(err, io.EOF) {
			return nil // comments only
		}
		return err
	}
	switch err := dec.Decode(new(yaml.Node)); {
	case errors.Is(err, io.EOF):
		return nil
	case err != nil:
		return err
	}
	return errors.New("yaml: there is more than one value")
}

var (
	lineOfError   = regexp.MustCompile(`^yaml: (?:line (\d+): )?`)
	anchorOfError = regexp.MustCompile(`^unknown anchor '.*' referenced$`)
)

// inFile gives the error of the YAML parser with the line in the file. The parser is one line short
// or ahead for some errors, but a tab among the spaces that indent a line is where it is.
func withFileLine(err error, d *Document) error {
	text := err.Error()
	m := lineOfError.FindStringSubmatch(text)
	if m == nil {
		return err
	}
	// The name of the anchor is removed, since it may be a value.
	text = anchorOfError.ReplaceAllString(text[len(m[0]):], "an alias stands for an anchor that is not there")
	if line, err := strconv.Atoi(m[1]); err == nil {
		if at := lineWithTab(d.Text, line); at > 0 && strings.Contains(text, "tab character") {
			return &LocationError{
				Line:  at + d.FirstLine - 1,
				error: fmt.Errorf("is not YAML, line %d: %s; use spaces", at+d.FirstLine-1, text),
			}
		}
		line = min(max(line+d.FirstLine-1, d.Line), d.FirstLine+bytes.Count(d.Text, []byte("\n"))-1)
		return &LocationError{Line: line, error: fmt.Errorf("is not YAML, near line %d: %s", line, text)}
	}
	return fmt.Errorf("is not YAML: %s", text)
}

// tabbed gives the first line from the one before a line on whose indentation has a tab, 0 for none.
func lineWithTab(text []byte, line int) int {
	number := 0
	for l := range bytes.Lines(text) {
		number++
		if indent := l[:len(l)-len(bytes.TrimLeft(l, " \t"))]; number >= line-1 && bytes.IndexByte(indent, '\t') >= 0 {
			return number
		}
	}
	return 0
}

// KustomizationNames are those of files that kustomize reads.
var KustomizationNames = []string{"kustomization.yaml", "kustomization.yml", "Kustomization"}

// IsKustomization reports whether kustomize reads a file by its name.
func IsKustomization(file string) bool {
	return slices.Contains(KustomizationNames, filepath.Base(file))
}

// KustomizeGroup is the API group of kustomizations and components.
const KustomizeGroup = "kustomize.config.k8s.io"

// kustomized gives an object in a file that kustomize reads by its name the type that kustomize
// does, where it does not say its own.
func (d *Document) setKustomizeType() {
	if d.APIVersion != "" && d.Kind != "" || !IsKustomization(d.File) {
		return
	}
	isKustomize := d.APIVersion == "" || strings.HasPrefix(d.APIVersion, KustomizeGroup+"/")
	switch {
	case isKustomize && (d.Kind == "" || d.Kind == "Kustomization"):
		d.APIVersion, d.Kind = cmp.Or(d.APIVersion, KustomizeGroup+"/v1beta1"), "Kustomization"
	case isKustomize && d.Kind == "Component":
		d.APIVersion = KustomizeGroup + "/v1alpha1"
	}
}
