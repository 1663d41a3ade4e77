package lens

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/claimbridge/claimbridge/conversion"
	"github.com/claimbridge/claimbridge/internal/kjson"
)

// rewriter copies one object while it walks over it once. What nobody asks to look into is copied
// as the bytes that it is.
type rewriter struct {
	s   kjson.Scanner
	in  []byte
	out []byte
	// err is the first thing that was not as it must be, with its path in the value that is walked over.
	err error
}

// edit is what becomes of the value that comes next: it reads the value, and writes another one or none.
type edit func(*rewriter) (written bool)

// object copies the object that comes next. Members with edits are edited, each as often as it
// comes; what is not an object is an error, but null.
func (r *rewriter) object(edits map[string]edit) {
	if !r.enters('{', "must be an object") {
		return
	}
	r.out = append(r.out, '{')
	for name := range r.s.Members() {
		before := len(r.out)
		r.name(r.s.Name())
		if e := edits[name]; e == nil {
			r.copy()
		} else if !e(r) {
			r.out = r.out[:before]
		}
		if r.err != nil {
			r.err = kjson.Within(strings.Clone(name), r.err)
			return
		}
	}
	r.out = append(r.out, '}')
}

// items edits each item of the list that comes next.
func (r *rewriter) items(e func(*rewriter)) {
	if !r.enters('[', "must be a list") {
		return
	}
	r.out = append(r.out, '[')
	for i := range r.s.Elements() {
		if i > 0 {
			r.out = append(r.out, ',')
		}
		if e(r); r.err != nil {
			r.err = kjson.Within(fmt.Sprintf("[%d]", i), r.err)
			return
		}
	}
	r.out = append(r.out, ']')
}

// name copies a name with its colon, and a comma before it unless it is the first.
func (r *rewriter) name(t kjson.Text) {
	if r.out[len(r.out)-1] != '{' {
		r.out = append(r.out, ',')
	}
	r.out = append(append(r.out, r.in[t.Begin-1:t.End+1]...), ':')
}

// copy the value that comes next.
func (r *rewriter) copy() { r.out = append(r.out, r.s.Value()...) }

// enters what comes next, which begins so, unless it is null, which is copied, or something else, which is wrong.
func (r *rewriter) enters(begin byte, why string) bool {
	if r.s.Null() {
		r.out = append(r.out, null...)
		return false
	}
	return r.must(begin, why)
}

// must have a value next that begins so.
func (r *rewriter) must(begin byte, why string) bool {
	if r.s.Is(begin) {
		return true
	}
	r.s.Skip() // what is no JSON is that above all
	r.wrong("", why)
	return false
}

// wrong says that what comes next, or a member of it, is not as it must be.
func (r *rewriter) wrong(member, why string) {
	if !r.s.Failed() {
		r.err = &conversion.DecodeError{Field: member, Why: why}
	}
}

// within makes an edit of an object's members an edit of the object.
func within(edits map[string]edit) edit {
	return func(r *rewriter) bool {
		r.object(edits)
		return true
	}
}

// each makes an edit of the items an edit of the list.
func each(e func(*rewriter)) edit {
	return func(r *rewriter) bool {
		r.items(e)
		return true
	}
}

// rewrite a whole text.
func rewrite(out, in []byte, edits map[string]edit) ([]byte, error) {
	r := rewriter{s: kjson.New(in), in: in, out: out}
	if r.must('{', "must be an object") {
		r.object(edits)
	}
	if err := cmp.Or(r.err, r.s.Err()); err != nil {
		return out, err
	}
	return r.out, nil
}

// members reads the value that comes next as one whose members are to be written in another way.
// null is written as it is, and what is no object is an error: then there is nothing to write.
func (r *rewriter) members() (m kjson.MemberList, ok bool) {
	value := r.s.Value()
	switch {
	case kjson.IsNull(value):
		r.out = append(r.out, value...)
		return m, false
	case !kjson.Begins(value, '{'):
		r.wrong("", "must be an object")
		return m, false
	}
	return kjson.ListMembers(value), true
}
