package convert

import (
	"bytes"
	"slices"

	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/files"
	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/finding"
)

// fix says in the first finding that is fixed in a document what the document becomes: its text from begin to end in that of its file
// is another one. There is none of a document that may have a status, since reports are for others to read, and handles are not; nor of
// one that shares a line with another, since fixes are of whole lines, and two of a line would be in each other's way.
func fix(found []finding.Finding, file []byte, begin, end int, is []byte) {
	first := slices.IndexFunc(found, func(f finding.Finding) bool { return f.Fixed })
	if first < 0 || bytes.Contains(file[begin:end], []byte("status")) {
		return
	}
	from, to := bytes.LastIndexByte(file[:begin], '\n')+1, end
	if rest := file[end:]; end > 0 && file[end-1] != '\n' {
		to = end + len(rest)
		if i := bytes.IndexByte(rest, '\n'); i >= 0 {
			to = end + i + 1
		}
	}
	if len(bytes.TrimSpace(file[from:begin])) > 0 || len(bytes.TrimSpace(file[end:to])) > 0 {
		return
	}
	line := bytes.Count(file[:from], []byte("\n"))
	for _, l := range files.Replaced(file[from:to], slices.Concat(file[from:begin], is, file[end:to])) {
		found[first].Fix = append(found[first].Fix, finding.Replacement{First: line + l.First, Last: line + l.Last, Text: string(l.Text)})
	}
}
