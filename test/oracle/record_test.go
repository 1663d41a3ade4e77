package oracle

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// record has the results of releases, from a file of testdata/results: compressed lines of JSON. The first line is its
// header. Each other line is a question by its digest, with the answer of each release. Questions are generated from
// their seeds. If a digest is missing, the question was not asked when the results were recorded.
type record struct {
	header
	file  string
	lines []*line
	// byDigest has the lines by the digest of the question.
	byDigest map[string]*line
	// canonical returns the form of a converted object whose digest is recorded.
	canonical func(t *testing.T, object []byte) []byte
}

// header of a record: the releases, and for each the seeds of additional writes, for rules that no example and none of
// the first writes violate.
type header struct {
	Releases []string            `json:"releases"`
	Further  map[string][]uint64 `json:"further,omitempty"`
}

// line of a record: a question, and the answers in the order of the releases, nil for those that were not asked.
type line struct {
	Question string           `json:"q"`
	Answers  []recordedAnswer `json:"a"`
}

// recordedAnswer is an answer without its messages: the types and fields of its errors in order, which is empty if the
// object is stored; or one of the constants below, the last one with the digest of an object.
type recordedAnswer []string

const (
	undecodable = "undecodable"
	panics      = "panic"
	converted   = "= "
)

// missingRecord is the error for a question that the record does not have.
const missingRecord = "no recorded result for this question: the generators or the examples changed; record the " +
	"results again: make oracle RELEASES=all UPDATE=1"

func digest(text []byte) string {
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:4])
}

func recordFile(name string) string { return filepath.Join("testdata", "results", name+".jsonl.gz") }

// openRecord returns a record. It is empty if there is no file.
func openRecord(t *testing.T, name string, validators []Validator) *record {
	t.Helper()
	r := &record{
		file:     recordFile(name),
		byDigest: map[string]*line{},
		header:   header{Further: map[string][]uint64{}},
	}
	for _, v := range validators {
		r.Releases = append(r.Releases, v.Name)
	}
	data, err := os.ReadFile(r.file)
	if os.IsNotExist(err) {
		return r
	}
	if err == nil {
		err = r.read(bytes.NewReader(data))
	}
	if err != nil {
		t.Fatalf("%s: %v", r.file, err)
	}
	return r
}

func (r *record) read(file io.Reader) error {
	unzipped, err := gzip.NewReader(file)
	if err != nil {
		return err
	}
	lines := json.NewDecoder(bufio.NewReader(unzipped))
	var written header
	if err := lines.Decode(&written); err != nil {
		return err
	}
	maps.Copy(r.Further, written.Further)
	for lines.More() {
		var l line
		if err := lines.Decode(&l); err != nil {
			return err
		}
		for i, release := range written.Releases {
			if l.Answers[i] != nil {
				r.set(release, l.Question, l.Answers[i])
			}
		}
	}
	return nil
}

// set records the answer of a release to a question.
func (r *record) set(release, question string, answer recordedAnswer) {
	l := r.byDigest[question]
	if l == nil {
		l = &line{question, make([]recordedAnswer, len(r.Releases))}
		r.lines, r.byDigest[question] = append(r.lines, l), l
	}
	if column := r.column(release); column >= 0 {
		l.Answers[column] = answer
	}
}

func (r *record) column(release string) int { return slices.Index(r.Releases, release) }

// answerOf returns the answer of a release to a question, or nil if it was not asked.
func (r *record) answerOf(release, question string) recordedAnswer {
	if l := r.byDigest[question]; l != nil {
		return l.Answers[r.column(release)]
	}
	return nil
}

// toRecorded returns what the record keeps of an answer.
func (r *record) toRecorded(t *testing.T, a answer) recordedAnswer {
	t.Helper()
	switch {
	case a.Undecodable != "":
		return recordedAnswer{undecodable}
	case a.Panic != "":
		return recordedAnswer{panics}
	case a.Object != nil:
		return recordedAnswer{converted + digest(r.canonical(t, a.Object))}
	}
	all := recordedAnswer{}
	for _, e := range a.Errors {
		all = append(all, strings.TrimPrefix(e.Type, "FieldValue")+" "+e.Field)
	}
	slices.Sort(all)
	return all
}

// recordedAnswers are the recorded answers of one release.
type recordedAnswers struct {
	*record
	release string
}

func (r recordedAnswers) answer(_ *testing.T, question []byte) (a answer, known bool) {
	entries := r.answerOf(r.release, digest(question))
	for _, entry := range entries {
		kind, field, _ := strings.Cut(entry, " ")
		switch {
		case entry == undecodable:
			a.Undecodable = entry
		case entry == panics:
			a.Panic = entry
		case kind+" " == converted:
			a.digest = field
		default:
			a.Errors = append(a.Errors, problem{Type: kind, Field: field})
		}
	}
	return a, entries != nil
}

// upstreamOf returns a release with its recorded answers.
func (r *record) upstreamOf(v Validator) *upstream {
	return &upstream{Validator: v, source: recordedAnswers{r, v.Name}}
}
