//go:build oracle

package oracle

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/claimbridge/claimbridge/test/testkit/must"
)

// updating is set if the answers of the validators are recorded, instead of being compared with the record.
var updating = os.Getenv("CLAIMBRIDGE_RECORD") != ""

// checkedSource is a running validator. It compares the answers with the record, or records them.
type checkedSource struct {
	source
	recordedAnswers
}

func (s checkedSource) answer(t *testing.T, question []byte) (answer, bool) {
	t.Helper()
	a, known := s.source.answer(t, question)
	got, want := s.toRecorded(t, a), s.answerOf(s.release, digest(question))
	if updating {
		s.set(s.release, digest(question), got)
	} else if want == nil || !slices.Equal(got, want) {
		t.Errorf("the record is wrong: Kubernetes %s answers %q, and %s has %q, for %s", s.release, got, s.file, want,
			clip(question))
	}
	return a, known
}

// clear removes the answers of a release.
func (r *record) clear(release string) {
	delete(r.Further, release)
	for _, l := range r.lines {
		l.Answers[r.column(release)] = nil
	}
}

// save writes the record, without questions that have no answer.
func (r *record) save(t *testing.T) {
	t.Helper()
	if !updating {
		return
	}
	var file bytes.Buffer
	zipped := must.Get(gzip.NewWriterLevel(&file, gzip.BestCompression))(t)
	lines := json.NewEncoder(zipped)
	lines.SetEscapeHTML(false)
	must.Do(t, lines.Encode(r.header))
	for _, l := range r.lines {
		if slices.ContainsFunc(l.Answers, func(a recordedAnswer) bool { return a != nil }) {
			must.Do(t, lines.Encode(l))
		}
	}
	must.Do(t, zipped.Close())
	must.Do(t, os.MkdirAll(filepath.Dir(r.file), 0o755))
	must.Do(t, os.WriteFile(r.file, file.Bytes(), 0o644))
	t.Logf("%s: %d questions, %d bytes", r.file, len(r.lines), file.Len())
}
