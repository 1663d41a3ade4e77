package report

import (
	"bufio"
	"fmt"
	"regexp"
	"strings"

	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/finding"
)

// maxAnnotations of a severity are what GitHub shows of a step. The rest is counted.
const maxAnnotations = 10

// github is workflow commands, which GitHub's runner makes annotations of.
type github struct {
	w       *bufio.Writer
	pending *pending
	seen    [len(githubLevels)]int
}

// githubLevels, and what more of them are called.
var githubLevels = [...]struct{ name, many string }{
	{"error", "errors"}, {"warning", "warnings"}, {"notice", "findings that were fixed"},
}

func (g *github) add(f finding.Finding) error {
	levels := map[finding.Severity]int{finding.Error: 0, finding.Warning: 1}
	level := levels[f.Severity]
	isPending := f.Fixed && g.pending.severity != ""
	switch {
	case isPending:
		level = levels[g.pending.severity]
	case f.Fixed:
		level = 2
	}
	if g.seen[level]++; g.seen[level] > maxAnnotations {
		return nil
	}
	var properties []string
	property := func(name, value string) {
		properties = append(properties, name+"="+githubProperty.Replace(printableLines(value)))
	}
	if f.File != "standard input" {
		property("file", f.File)
	}
	if f.Line > 0 {
		property("line", fmt.Sprint(f.Line))
	}
	if f.Column > 0 {
		property("col", fmt.Sprint(f.Column))
	}
	property("title", f.Rule)
	message := about(f)
	if ask := "convert it to " + g.pending.to; isPending && !strings.Contains(message, ask) {
		message += "; " + ask
	}
	if name := objectName(f); name != "" {
		message = name + ": " + message
	}
	_, err := fmt.Fprintf(g.w, "::%s %s::%s\n", githubLevels[level].name, strings.Join(properties, ","),
		githubMessage.Replace(printableLines(message)))
	return err
}

// printableLines leaves ends of lines to the replacers, which have a way to write them.
func printableLines(text string) string { return linesOf.ReplaceAllStringFunc(text, finding.Printable) }

var linesOf = regexp.MustCompile(`[^\r\n]+`)

// What workflow commands are escaped by.
var (
	githubMessage  = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
	githubProperty = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C")
)

// end counts the rest in a line of the log, which is no annotation: those are used up.
func (g *github) end() error {
	for level, n := range g.seen {
		if n <= maxAnnotations {
			continue
		}
		if _, err := fmt.Fprintf(g.w, "%d more %s\n", n-maxAnnotations, githubLevels[level].many); err != nil {
			return err
		}
	}
	return nil
}
