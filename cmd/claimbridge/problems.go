package main

import (
	"errors"
	"fmt"
	"io"
	"regexp"

	"github.com/claimbridge/claimbridge/api/v1alpha3"
	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/manifest"
	"github.com/claimbridge/claimbridge/conversion"
)

// problems tells on stderr what is wrong, a line each, and counts the objects that failed.
type problems struct {
	w      io.Writer
	failed int
}

// take what was told elsewhere.
func (p *problems) take(from *problems, told []byte) {
	p.failed += from.failed
	if len(told) > 0 {
		_, _ = p.w.Write(told)
	}
}

// read tells of something that could not be read. The error names the place.
func (p *problems) read(err error) {
	p.failed++
	fmt.Fprintln(p.w, err)
}

// document tells why a document failed as a whole.
func (p *problems) document(d *manifest.Document, err error) {
	if d.Kind == "" {
		p.read(&manifest.DocumentError{Position: d.Position, Err: err})
		return
	}
	p.object(d.Position, conversion.Header{Kind: d.Kind, Namespace: d.Namespace, Name: d.Name}, err)
}

// object tells why an object failed.
func (p *problems) object(at manifest.Position, h conversion.Header, err error) {
	p.failed++
	for _, why := range reasons(h, err) {
		p.note(at, h, why)
	}
}

// note tells something about an object that is no failure.
func (p *problems) note(at manifest.Position, h conversion.Header, text string) {
	fmt.Fprintf(p.w, "%s: %s: %s\n", at, h, text)
}

// reasons of an error, each with its field. Object and versions are left out, the line names them.
func reasons(h conversion.Header, err error) []string {
	if unknown, ok := errors.AsType[*conversion.UnknownFieldError](err); ok {
		var all []string
		for _, field := range unknown.Fields {
			all = append(all, field+": "+unknownField(h.Version, field)+"; remove it, or let --validate=false drop it")
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

// unknownField says why a field is not known. Of v1alpha3 there was more than claimbridge has: Kubernetes changed it in place.
func unknownField(version, field string) string {
	if version == v1alpha3.GroupVersion.Version {
		path := indices.ReplaceAllString(field, "[]")
		for _, later := range v1alpha3.LaterFields() {
			if path == later.Path || path == "spec."+later.Path {
				return fmt.Sprintf("Kubernetes %s added this field to v1alpha3, claimbridge's v1alpha3 is that of 1.31", later.Release)
			}
		}
	}
	return "unknown or duplicate field"
}

var indices = regexp.MustCompile(`\[\d+\]`)
