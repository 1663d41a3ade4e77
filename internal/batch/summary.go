package batch

import (
	"fmt"
	"strings"

	"github.com/claimbridge/claimbridge/internal/files"
	"github.com/claimbridge/claimbridge/internal/findings"
	"github.com/claimbridge/claimbridge/internal/migrate"
)

// streamSummary returns the last line of the conversion of a stream, before an error.
func streamSummary(c migrate.Counts, to string, p *findings.Printer) string {
	changedText := ""
	if c.OthersChanged > 0 {
		changedText = fmt.Sprintf(" (%d of them changed)", c.OthersChanged)
	}
	skippedText := ""
	if p.Skipped > 0 {
		skippedText = fmt.Sprintf(", %d skipped", p.Skipped)
	}
	return fmt.Sprintf("%d converted to %s, %d unchanged, %d of other kinds%s, %d failed, %s%s",
		c.Converted, to, c.Unchanged, c.Others, changedText, p.Failed,
		findings.Count(p.FailingWarnings(), "warning"), skippedText)
}

// fileSummary counts files and objects by the result of their conversion.
type fileSummary struct {
	objects, converted      int // converted counts the objects in files that change
	files, changed, skipped int
	skippedWithMention      int      // skipped files that mention claims
	reached                 int      // files that the conversion has reached
	names                   []string // of files that were skipped without a warning, up to maxSkipped
	unnamed                 int      // skipped files that are not in names
}

// maxSkipped limits the names of skipped files.
const maxSkipped = 10

// skippedFiles names files that were skipped, or returns "".
func (s *fileSummary) skippedFiles() string {
	if len(s.names) == 0 {
		return ""
	}
	more := ""
	if s.unnamed > 0 {
		more = fmt.Sprintf(", and %d more", s.unnamed)
	}
	return "skipped, without a Kubernetes object: " + strings.Join(s.names, ", ") + more
}

func (s *fileSummary) add(f *fileResult) {
	s.reached++
	switch c := f.result.Counts; {
	case f.isSkipped:
		s.skipped++
		if f.mentionsClaims {
			s.skippedWithMention++
		}
		s.addSkipped(f)
	case !f.isNotConverted:
		s.files++
		s.objects += c.Claims + c.OthersChanged + c.OthersCurrent
		if f.isChanged {
			s.changed++
			s.converted += c.Converted + c.OthersChanged
		}
	}
}

// addSkipped adds the name of a file that was skipped, unless a warning names it.
func (s *fileSummary) addSkipped(f *fileResult) {
	switch {
	case f.result.Findings.Warnings() > 0:
	case len(s.names) < maxSkipped:
		s.names = append(s.names, files.Quote(f.name))
	default:
		s.unnamed++
	}
}

// line returns the last line of a conversion in files. The conversion may have ended before it reached all files that
// were found.
func (s *fileSummary) line(p *findings.Printer, found int, writes bool) string {
	converted := "would convert"
	if writes {
		converted = "converted"
	}
	manual := "need manual changes"
	if p.FailedObjects() == 1 {
		manual = "needs manual changes"
	}
	text := fmt.Sprintf("%s %d of %s in %d of %s; %d %s",
		converted, s.converted, findings.Count(s.objects, "DRA object"), s.changed, findings.Count(s.files, "file"),
		p.FailedObjects(), manual)
	if p.FailedFiles > 0 {
		text += fmt.Sprintf("; %s could not be read or written", findings.Count(p.FailedFiles, "file"))
	}
	if warnings := p.FailingWarnings(); warnings > 0 {
		text += "; " + findings.Count(warnings, "warning")
	}
	text += fmt.Sprintf("; %s skipped", findings.Count(s.skipped, "file"))
	if n := found - s.reached; n > 0 {
		text += fmt.Sprintf("; %d of %s not reached", n, findings.Count(found, "file"))
	}
	return text
}
