package report

import (
	"bufio"
	"fmt"
	"strings"

	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/finding"
)

// maxRows of the table are some 300 KiB; a step summary of GitHub holds 1 MiB. The rest is counted.
const maxRows = 1000

// markdown is a table, for the summary of a step or a comment.
type markdown struct {
	w    *bufio.Writer
	rows int
}

const markdownHead = "### claimbridge\n\n| | where | object | what | rule |\n|---|---|---|---|---|\n"

func (m *markdown) add(f finding.Finding) error {
	if m.rows++; m.rows > maxRows {
		return nil
	}
	head := ""
	if m.rows == 1 {
		head = markdownHead
	}
	severity, where := string(f.Severity), f.File
	if f.Fixed {
		severity = "fixed"
	}
	if f.Line > 0 {
		where = fmt.Sprintf("%s:%d", f.File, f.Line)
	}
	_, err := fmt.Fprintf(m.w, "%s| %s | %s | %s | %s | %s |\n", head, severity, plain(where), plain(objectName(f)), plain(about(f)), f.Rule)
	return err
}

func (m *markdown) end() (err error) {
	switch {
	case m.rows == 0:
		_, err = m.w.WriteString("### claimbridge\n\nNo findings.\n")
	case m.rows > maxRows:
		_, err = fmt.Fprintf(m.w, "\n%d more findings are not in this table.\n", m.rows-maxRows)
	}
	return err
}

// plain text in a cell: names in an input are not for a reader's browser to act on.
func plain(text string) string { return markdownPlain.Replace(text) }

var markdownPlain = func() *strings.Replacer {
	var pairs []string
	for _, c := range "\\`*_[]()<>|#&!~" {
		pairs = append(pairs, string(c), "\\"+string(c))
	}
	return strings.NewReplacer(append(pairs, "\r", " ", "\n", " ")...)
}()
