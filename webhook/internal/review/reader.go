package review

import (
	"bytes"
	"errors"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/claimbridge/claimbridge/internal/kjson"
)

// reader walks over a review once. The objects in it are not decoded: they are returned as parts of the body. The first problem
// ends the reading, see end.
//
// As the API server's own decoder does it: names are case-sensitive, the last of duplicate members counts, and invalid
// UTF-8 is let through. Values nest at most 10,000 deep, jsontext's and encoding/json's bound.
type reader struct {
	kjson.Scanner
	body []byte
	// problem with what is JSON.
	problem error
}

func newReader(body []byte) reader { return reader{Scanner: kjson.New(body), body: body} }

// fail with a problem, unless there was one before.
func (r *reader) fail(problem error) {
	if !r.Failed() {
		r.problem = problem
	}
	r.Fail()
}

// end of the body: the error says where it stops being JSON, or a review.
func (r *reader) end() error {
	if r.problem != nil {
		return r.problem
	}
	if r.AtEnd() {
		return nil
	}
	dec := jsontext.NewDecoder(bytes.NewBuffer(r.body), jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	err := dec.SkipValue()
	if err == nil {
		err = errors.New("there is more than one JSON value")
	}
	return notAReview("the body is not a review: %v", err)
}

// is the next value of a kind. Null counts as not there, and anything else is a problem.
func (r *reader) is(kind byte, path, what string) bool {
	if r.Null() {
		return false
	}
	if r.Is(kind) {
		return true
	}
	r.Skip()
	if path != "" {
		path += " "
	}
	r.fail(notAReview("the body is not a review: %smust be %s", path, what))
	return false
}

// inObject begins with the members of an object, if there are any: the body of a loop looks at member and reads the value, or
// skips it, and NextMember goes on.
func (r *reader) inObject(path string) bool { return r.is('{', path, "an object") && r.FirstMember() }

// member is the name of the member whose value comes next.
func (r *reader) member() []byte { return r.decoded(r.Name()) }

// inArray begins with the elements of an array; NextElement goes on.
func (r *reader) inArray(path string) bool { return r.is('[', path, "an array") && r.FirstElement() }

// texts reads the strings of an object by their names, and passes over its other members.
func (r *reader) texts(path string, into map[string]*string) {
	for more := r.inObject(path); more; more = r.NextMember() {
		if name := string(r.member()); into[name] != nil {
			*into[name] = string(r.text(path + "/" + name))
		} else {
			r.Skip()
		}
	}
}

// maxText in bytes of what a review says of itself: an API server's uid has 36, a name at most 253. An answer repeats the uid,
// and may need six times its length for that.
const maxText = 4096

// text reads a string, as a part of the body where it can; null is the empty one.
func (r *reader) text(path string) []byte {
	if !r.is('"', path, "a string") {
		return nil
	}
	text := r.String()
	if text.End-text.Begin > maxText {
		r.fail(notAReview("a name in the review is longer than %d bytes", maxText))
	}
	return r.decoded(text)
}

// decoded gives a string that was read, as a part of the body where it can.
func (r *reader) decoded(t kjson.Text) []byte {
	if !t.Escaped && !t.Foreign || r.Failed() {
		return r.body[t.Begin:t.End]
	}
	text, _ := kjson.AppendUnquoted(nil, r.body[t.Begin-1:t.End+1])
	return text
}

// raw reads any value as the part of the body that it is; null is nil.
func (r *reader) raw() []byte {
	if r.Null() {
		return nil
	}
	return r.span().of(r.body)
}

// span reads any value, and returns where it is.
func (r *reader) span() span {
	begin, end := r.Skip()
	return span{begin, end}
}
