package manifest

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strconv"

	"go.yaml.in/yaml/v3"
)

// Parse the YAML of a document that was found. The error is a *DocumentError.
func (d *Document) Parse() error {
	if d.text == nil || d.node != nil {
		return nil
	}
	var root yaml.Node
	if err := parse(d.text, &root); err != nil {
		return &DocumentError{d.Position, inFile(err, d.first)}
	}
	if len(root.Content) == 0 || isNull(root.Content[0]) {
		return nil
	}
	d.node = root.Content[0]
	if d.node.Kind != yaml.MappingNode {
		return &DocumentError{d.Position, errors.New("is not an object")}
	}
	d.APIVersion, d.Kind = scalar(d.node, "apiVersion"), scalar(d.node, "kind")
	if metadata := lookup(d.node, "metadata"); metadata != nil && metadata.Kind == yaml.MappingNode {
		d.Namespace, d.Name = scalar(metadata, "namespace"), scalar(metadata, "name")
	}
	return nil
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

var lineOfError = regexp.MustCompile(`^yaml: (?:line (\d+): )?`)

// inFile gives the error of the YAML parser with the line in the file. The parser is one line short for some errors.
func inFile(err error, begin int) error {
	text := err.Error()
	m := lineOfError.FindStringSubmatch(text)
	if m == nil {
		return err
	}
	text = text[len(m[0]):]
	if line, err := strconv.Atoi(m[1]); err == nil {
		return fmt.Errorf("is not YAML, near line %d: %s", line+begin-1, text)
	}
	return fmt.Errorf("is not YAML: %s", text)
}
