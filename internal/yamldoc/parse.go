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

// ParseText parses the text of one YAML document, which must be an object.
func ParseText(text []byte, at Position) (*Document, error) {
	d := &Document{Position: at, Text: text, FirstLine: max(at.Line, 1)}
	return d, d.Parse()
}

// ParseCollection is ParseText for a document that is an object or a list.
func ParseCollection(text []byte, at Position) (*Document, error) {
	d, err := ParseText(text, at)
	_, isNotObject := errors.AsType[*NotObjectError](err)
	if isNotObject && d.Node.Kind == yaml.SequenceNode {
		return d, nil
	}
	return d, err
}

// Parse parses a document from NextUnparsed. It does nothing for JSON and for parsed documents. The error is a
// *DocumentError.
func (d *Document) Parse() error {
	if d.IsJSON() || d.Node != nil {
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

// NotObjectError is the error for YAML that is not an object, such as a list.
type NotObjectError struct{ Document *Document }

func (e *NotObjectError) Error() string { return "is not an object" }

// IsJSONPatch reports whether the document is a list of JSON patch operations, as files of kustomizations are.
func (e *NotObjectError) IsJSONPatch() bool {
	list := e.Document.Node
	return list.Kind == yaml.SequenceNode && len(list.Content) > 0 &&
		!slices.ContainsFunc(list.Content, func(step *yaml.Node) bool {
			return step.Kind != yaml.MappingNode || lookup(step, "op") == nil || lookup(step, "path") == nil
		})
}

// parse parses one document. A second value in the text is an error, so that no text is silently lost.
func parse(text []byte, root *yaml.Node) error {
	dec := yaml.NewDecoder(bytes.NewReader(text))
	if err := dec.Decode(root); err != nil {
		if errors.Is(err, io.EOF) {
			return nil // the text has only comments
		}
		return err
	}
	err := dec.Decode(new(yaml.Node))
	switch {
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

// withFileLine returns an error of the YAML parser with the line in the file. For some errors the parser is off by one
// line; a tab in the indentation is located exactly.
func withFileLine(err error, d *Document) error {
	text := err.Error()
	m := lineOfError.FindStringSubmatch(text)
	if m == nil {
		return err
	}
	// The name of the anchor is removed, since it may be a value.
	text = anchorOfError.ReplaceAllString(text[len(m[0]):], "an alias refers to an anchor that is not defined")
	if line, err := strconv.Atoi(m[1]); err == nil {
		if tabLine := lineWithTab(d.Text, line); tabLine > 0 && strings.Contains(text, "tab character") {
			return &LocationError{
				Line:  tabLine + d.FirstLine - 1,
				error: fmt.Errorf("is not YAML, line %d: %s; use spaces", tabLine+d.FirstLine-1, text),
			}
		}
		line = min(max(line+d.FirstLine-1, d.Line), d.FirstLine+bytes.Count(d.Text, []byte("\n"))-1)
		if hasLeadingTab(d.Text, line-d.FirstLine) {
			return &LocationError{
				Line: line, error: fmt.Errorf("is not YAML, line %d: found a tab character in the indentation; use spaces", line),
			}
		}
		return &LocationError{Line: line, error: fmt.Errorf("is not YAML, near line %d: %s", line, text)}
	}
	return fmt.Errorf("is not YAML: %s", text)
}

// hasLeadingTab reports whether a line, counted from 0, begins with a tab.
func hasLeadingTab(text []byte, index int) bool {
	for l := range bytes.Lines(text) {
		if index == 0 {
			return bytes.HasPrefix(bytes.TrimLeft(l, " "), []byte("\t"))
		}
		index--
	}
	return false
}

// lineWithTab returns the first line, from the one before the given line, that has a tab in its indentation, or 0.
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

// KustomizationNames are the names of files that kustomize reads as kustomizations.
var KustomizationNames = []string{"kustomization.yaml", "kustomization.yml", "Kustomization"}

// IsKustomization reports whether kustomize reads a file as a kustomization, by its name.
func IsKustomization(file string) bool {
	return slices.Contains(KustomizationNames, filepath.Base(file))
}

// KustomizeGroup is the API group of kustomizations and components.
const KustomizeGroup = "kustomize.config.k8s.io"

// setKustomizeType sets the type that kustomize assumes for a kustomization without an apiVersion or kind.
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
