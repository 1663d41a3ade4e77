// Package problems prints what is wrong with an input, and what has to be done about it by hand.
package problems

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/input"
	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/manifest"
	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/release"
	"github.com/claimbridge/claimbridge/conversion"
)

// Log prints on stderr what is wrong, a line each, and counts the objects that failed, and warnings.
type Log struct {
	W                io.Writer
	Failed, Warnings int
	// All is set to print every warning of a topic.
	All bool
	// Full is shared by parts, nil when there are none.
	Full *Full

	warned warned
	marks  []mark
}

// Error prints why something could not be read, or was skipped. The error names the place.
func (l *Log) Error(err error) {
	if skipped, ok := errors.AsType[*input.SkippedError](err); ok {
		l.Warnings++
		fmt.Fprintf(l.W, "warning: %v\n", skipped)
		return
	}
	l.Failed++
	fmt.Fprintln(l.W, err)
}

// Document says why a document failed as a whole.
func (l *Log) Document(d *manifest.Document, err error) {
	if d.Kind == "" {
		l.Error(&manifest.DocumentError{Position: d.Position, Err: err})
		return
	}
	l.Object(d.Position, conversion.Header{Kind: d.Kind, Namespace: d.Namespace, Name: d.Name}, err)
}

// Object says why an object failed.
func (l *Log) Object(at manifest.Position, h conversion.Header, err error) {
	l.Failed++
	for _, why := range reasons(h, err) {
		l.Note(at, h, why)
	}
}

// Refuse says for which reasons an object that could be read is not taken.
func (l *Log) Refuse(at manifest.Position, h conversion.Header, why []string) {
	l.Failed++
	for _, text := range why {
		l.Note(at, h, text)
	}
}

// Note prints something about an object.
func (l *Log) Note(at manifest.Position, h conversion.Header, text string) {
	fmt.Fprintf(l.W, "%s: %s: %s\n", at, h, text)
}

// reasons of an error, each with its field. Object and versions are left out, the line names them.
func reasons(h conversion.Header, err error) []string {
	if unknown, ok := errors.AsType[*conversion.UnknownFieldError](err); ok {
		var all []string
		for _, field := range unknown.Fields {
			what, remedy := WrongField(h, field)
			if e, ok := errors.AsType[*conversion.Error](err); ok && e.To == h.Version {
				remedy = strings.Replace(remedy, "let --validate=false drop it", "let --validate=false pass it through for the API server to drop", 1)
			}
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
			return []string{"apiVersion: " + release.Unknown(e.Version)}
		}
		return []string{e.Err.Error()}
	}
	return []string{err.Error()}
}

// ErrNoType is for what says neither what it is nor of which version.
var ErrNoType = errors.New("is not an object of Kubernetes: apiVersion and kind must be set")

// Objects says how many.
func Objects(n int) string {
	if n == 1 {
		return "1 object or document"
	}
	return fmt.Sprintf("%d objects or documents", n)
}
