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

// record of what releases said, a file of testdata/results: compressed lines of JSON. The first is
// its head; each other one is a question by its digest, with what each release said of it.
// Questions are made again from their seeds: a digest that is not there is that of another question
// than was asked.
type record struct {
	head
	file  string
	lines []*line
	find  map[string]*line
	// form of an object, whose digest is kept.
	form func(t *testing.T, object []byte) []byte
}

// head of a record: the releases, and the seeds of writes for rules that no example and none of the
// first writes breaks, by the release.
type head struct {
	Releases []string            `json:"releases"`
	Further  map[string][]uint64 `json:"further,omitempty"`
}

// line of a record: a question, and the answers in the order of the releases, nil of those that were not asked.
type line struct {
	Question string `json:"q"`
	Answers  []said `json:"a"`
}

// said is an answer without its words: the types and fields of its errors in order, none when the
// object is stored; one of the words below; or the digest of an object.
type said []string

const (
	undecodable = "undecodable"
	panics      = "panic"
	converted   = "= "
)

// another says what to do about a question that the record does not have.
const another = "this question was never asked: the generators changed, or what was asked next. make oracle " +
	"RELEASES=all UPDATE=1 records anew"

func digest(text []byte) string {
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:4])
}

func recordFile(name string) string { return filepath.Join("testdata", "results", name+".jsonl.gz") }

// open a record. One that is not there is empty.
func open(t *testing.T, name string, validators []Validator) *record {
	t.Helper()
	r := &record{file: recordFile(name), find: map[string]*line{}, head: head{Further: map[string][]uint64{}}}
	for _, j := range validators {
		r.Releases = append(r.Releases, j.Name)
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
	var written head
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
				r.note(release, l.Question, l.Answers[i])
			}
		}
	}
	return nil
}

// note what a release says to a question.
func (r *record) note(release, question string, answer said) {
	l := r.find[question]
	if l == nil {
		l = &line{question, make([]said, len(r.Releases))}
		r.lines, r.find[question] = append(r.lines, l), l
	}
	if column := r.column(release); column >= 0 {
		l.Answers[column] = answer
	}
}

func (r *record) column(release string) int { return slices.Index(r.Releases, release) }

// says is what a release said to a question, nil if it was not asked.
func (r *record) says(release, question string) said {
	if l := r.find[question]; l != nil {
		return l.Answers[r.column(release)]
	}
	return nil
}

// sayOf an answer, what a record keeps.
func (r *record) sayOf(t *testing.T, a answer) said {
	t.Helper()
	switch {
	case a.Undecodable != "":
		return said{undecodable}
	case a.Panic != "":
		return said{panics}
	case a.Object != nil:
		return said{converted + digest(r.form(t, a.Object))}
	}
	all := said{}
	for _, e := range a.Errors {
		all = append(all, strings.TrimPrefix(e.Type, "FieldValue")+" "+e.Field)
	}
	slices.Sort(all)
	return all
}

// recorded answers for one release.
type recorded struct {
	*record
	release string
}

func (r recorded) answer(_ *testing.T, question []byte) (a answer, known bool) {
	says := r.says(r.release, digest(question))
	for _, say := range says {
		kind, field, _ := strings.Cut(say, " ")
		switch {
		case say == undecodable:
			a.Undecodable = say
		case say == panics:
			a.Panic = say
		case kind+" " == converted:
			a.digest = field
		default:
			a.Errors = append(a.Errors, problem{Type: kind, Field: field})
		}
	}
	return a, says != nil
}

// of a release what is recorded.
func (r *record) of(j Validator) *upstream {
	return &upstream{Validator: j, source: recorded{r, j.Name}}
}
