package findings

import (
	"fmt"
	"io"
	"regexp"
	"strings"

	"github.com/claimbridge/claimbridge/internal/input"
)

// maxAnnotations is how many annotations of a severity GitHub shows for a step. Further findings are counted.
const maxAnnotations = 10

// githubReporter writes workflow commands, which GitHub's runner shows as annotations.
type githubReporter struct {
	w      io.Writer
	dryRun DryRun
	counts [len(githubLevels)]int // findings of each level
}

// githubLevels are the commands, with the noun for the number of further findings.
var githubLevels = [...]struct{ command, plural string }{
	{"error", "errors"}, {"warning", "warnings"}, {"notice", "findings that were fixed"},
}

// level returns the index of a finding in githubLevels, and whether the finding still needs a conversion.
func (g *githubReporter) level(f Finding) (level int, isPending bool) {
	isPending = f.Fixed && g.dryRun.Severity != ""
	severity := f.Severity
	if isPending {
		severity = g.dryRun.Severity
	}
	switch {
	case f.Fixed && !isPending:
		return 2, isPending
	case severity == Error:
		return 0, isPending
	}
	return 1, isPending
}

// Report implements [Reporter].
func (g *githubReporter) Report(f Finding) {
	level, isPending := g.level(f)
	g.counts[level]++
	if g.counts[level] > maxAnnotations {
		return
	}
	var properties []string
	property := func(name, value string) {
		properties = append(properties, name+"="+githubProperty.Replace(printableLines(value)))
	}
	if f.File != input.StandardInput {
		property("file", f.File)
	}
	if f.Line > 0 {
		property("line", fmt.Sprint(f.Line))
	}
	if f.Column > 0 {
		property("col", fmt.Sprint(f.Column))
	}
	property("title", string(f.Rule))
	message := f.messageWithField()
	if remedy := "convert it to " + g.dryRun.Version; isPending && !strings.Contains(message, remedy) {
		message += "; " + remedy
	}
	if name := f.objectName(); name != "" {
		message = name + ": " + message
	}
	fmt.Fprintf(g.w, "::%s %s::%s\n", githubLevels[level].command, strings.Join(properties, ","),
		githubMessage.Replace(printableLines(message)))
}

var lineText = regexp.MustCompile(`[^\r\n]+`)

// Replacers that escape the texts of workflow commands.
var (
	githubMessage  = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
	githubProperty = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C")
)

// Close writes the number of further findings to the log, as text and not as an annotation.
func (g *githubReporter) Close() error {
	for level, n := range g.counts {
		if n > maxAnnotations {
			fmt.Fprintf(g.w, "%d more %s\n", n-maxAnnotations, githubLevels[level].plural)
		}
	}
	return nil
}
