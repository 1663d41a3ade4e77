// Package function is claimbridge as a KRM function: kustomize and kpt hand it a ResourceList on standard input, and read the same
// list from its standard output, with the claims in it converted and with results.
//
// The specification is kustomize's functions-spec: a function that fails leaves the items as they are, says why in results, and
// ends with another code than 0.
package function

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/claimbridge/claimbridge/api"
	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/convert"
	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/input"
	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/manifest"
	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/release"
	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/report"
	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/splice"
)

// resourceList is what is read of one.
type resourceList struct {
	APIVersion     string            `json:"apiVersion"`
	Kind           string            `json:"kind"`
	FunctionConfig json.RawMessage   `json:"functionConfig"`
	Items          []json.RawMessage `json:"items"`
}

// Run reads a list, which may have 16 MiB, and writes it. The error says that items could not be converted, or that there is no
// list: only then nothing is written. To is the version or release, if the list's functionConfig names none.
func Run(ctx context.Context, to string, stdin io.Reader, stdout, stderr io.Writer) error {
	text, err := io.ReadAll(io.LimitReader(stdin, manifest.MaxDocument+1))
	if err != nil {
		return err
	}
	if len(text) > manifest.MaxDocument {
		return fmt.Errorf("the list is larger than %d MiB; run claimbridge convert on the files instead", manifest.MaxDocument>>20)
	}
	document, object, err := read(text)
	if err != nil {
		return err
	}
	var list resourceList
	if err := json.Unmarshal(object, &list); err != nil {
		return fmt.Errorf("standard input: %w", err)
	}
	if list.Kind != "ResourceList" {
		return fmt.Errorf("standard input: is %q, and must be a ResourceList of %s, which kustomize and kpt write", list.Kind, manifest.FunctionGroup)
	}
	target, err := targetOf(list.FunctionConfig, to)
	if err != nil {
		return err
	}
	release.Note(stderr, target.Release)
	found := results{items: list.Items}
	reports := report.Collect(found.add)
	var converted bytes.Buffer
	failed := convert.Run(ctx, input.Input{Files: []string{"-"}}, convert.Options{
		To: target, Format: "json", Groups: []string{api.Group}, Strict: true, Atomic: true, Reports: reports,
	}, bytes.NewReader(text), &converted, stderr)
	if failed == nil {
		object = bytes.TrimSpace(converted.Bytes())
	}
	wanted, err := found.in(object)
	if err != nil {
		return err
	}
	if err := write(stdout, document, text, wanted); err != nil {
		return err
	}
	return failed
}

// read the list: what is not YAML is JSON.
func read(text []byte) (*manifest.Document, []byte, error) {
	reader := manifest.NewReader(bytes.NewReader(text), "standard input")
	document, err := reader.Next()
	if err == nil {
		if _, more := reader.Next(); !errors.Is(more, io.EOF) {
			return nil, nil, errors.New("standard input: has more than one document, and must be one ResourceList with all objects as its items")
		}
	}
	switch {
	case errors.Is(err, io.EOF):
		return nil, nil, errors.New("standard input: is empty, and must be a ResourceList; kustomize and kpt run this command")
	case err != nil:
		return nil, nil, err
	case document.Text == nil:
		return document, text, nil
	}
	object, err := document.Object(true)
	if err != nil {
		return nil, nil, &manifest.DocumentError{Position: document.Position, Err: err}
	}
	return document, object, nil
}

// write the list in its own style, or anew where that cannot be: whoever runs functions writes the items anew as well.
func write(w io.Writer, document *manifest.Document, text, wanted []byte) error {
	isYAML := document.Text != nil
	edit := func() (splice.Result, error) { return splice.Edit(text, wanted, nil) }
	if isYAML { // which was parsed
		edit = func() (splice.Result, error) { return splice.Document(document, wanted, nil) }
	}
	edited, err := edit()
	switch {
	case err == nil:
		_, err = w.Write(edited.Text)
	case isYAML:
		err = manifest.WriteYAML(w, wanted)
	default:
		_, err = w.Write(append(wanted, '\n'))
	}
	return err
}
