package main

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/manifest"
	"github.com/claimbridge/claimbridge/conversion"
)

// problems prints on stderr what is wrong, a line each, and counts the objects that failed, and warnings.
type problems struct {
	w        io.Writer
	failed   int
	warnings int
	// all is set to print every warning of a topic.
	all    bool
	warned warned
	full   *full // shared by parts, nil when there are none
	marks  []mark
}

// read prints why something could not be read, or was skipped. The error names the place.
func (p *problems) read(err error) {
	if skipped, ok := errors.AsType[*skippedError](err); ok {
		p.warnings++
		fmt.Fprintf(p.w, "warning: %v\n", skipped)
		return
	}
	p.failed++
	fmt.Fprintln(p.w, err)
}

// document says why a document failed as a whole.
func (p *problems) document(d *manifest.Document, err error) {
	if d.Kind == "" {
		p.read(&manifest.DocumentError{Position: d.Position, Err: err})
		return
	}
	p.object(d.Position, conversion.Header{Kind: d.Kind, Namespace: d.Namespace, Name: d.Name}, err)
}

// object says why an object failed.
func (p *problems) object(at manifest.Position, h conversion.Header, err error) {
	p.failed++
	for _, why := range reasons(h, err) {
		p.note(at, h, why)
	}
}

// note prints something about an object.
func (p *problems) note(at manifest.Position, h conversion.Header, text string) {
	fmt.Fprintf(p.w, "%s: %s: %s\n", at, h, text)
}

// reasons of an error, each with its field. Object and versions are left out, the line names them.
func reasons(h conversion.Header, err error) []string {
	if unknown, ok := errors.AsType[*conversion.UnknownFieldError](err); ok {
		var all []string
		for _, field := range unknown.Fields {
			what, remedy := wrongField(h, field)
			switch {
			case remedy == "":
			case strings.HasSuffix(what, "?"):
				what += " " + remedy
			default:
				what += "; " + remedy
			}
			all = append(all, field+": "+what)
		}
		return all
	}
	if e, ok := errors.AsType[*conversion.Error](err); ok {
		switch {
		case e.Field != "":
			return []string{e.Field + ": " + e.Err.Error()}
		case errors.Is(err, conversion.ErrVersion):
			return []string{"apiVersion: " + e.Err.Error()}
		}
		return []string{e.Err.Error()}
	}
	return []string{err.Error()}
}
