package lens

import (
	"strconv"

	"github.com/claimbridge/claimbridge/conversion"
	"github.com/claimbridge/claimbridge/internal/kjson"
)

// rewriter copies one object while it walks over it once. What nobody asks to look into is copied as the bytes that it is.
type rewriter struct {
	s   kjson.Scanner
	in  []byte
	out []byte
	// at is the path of what comes next.
	at []step
	// err is the first thing that was not as it must be.
	err error
}

// step of a path: the name of a member, or else the index of an item.
type step struct {
	name  string
	index int
}

// edit is what becomes of the value that comes next: it reads the value, and writes another one or none.
type edit func(*rewriter) (written bool)

// object copies the object that comes next. Members with edits are edited, each as often as it comes; what is not an object is an
// error, but null.
func (r *rewriter) object(edits map[string]edit) {
	if r.s.Null() {
		r.out = append(r.out, null...)
		return
	}
	if !r.must('{', "must be an object") {
		return
	}
	r.out = append(r.out, '{')
	for name := range r.s.Members() {
		before := len(r.out)
		r.name(r.s.Name())
		if e := edits[name]; e == nil {
			r.copy()
		} else {
			r.at = append(r.at, step{name: name})
			if !e(r) {
				r.out = r.out[:before]
			}
			r.at = r.at[:len(r.at)-1]
		}
		if r.err != nil {
			return
		}
	}
	r.out = append(r.out, '}')
}

// items edits each item of the list that comes next.
func (r *rewriter) items(e func(*rewriter)) {
	if r.s.Null() {
		r.out = append(r.out, null...)
		return
	}
	if !r.must('[', "must be a list") {
		return
	}
	r.out = append(r.out, '[')
	for i := range r.s.Elements() {
		if i > 0 {
			r.out = append(r.out, ',')
		}
		r.at = append(r.at, step{index: i})
		e(r)
		r.at = r.at[:len(r.at)-1]
		if r.err != nil {
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

// must have a value next that begins so.
func (r *rewriter) must(begin byte, why string) bool {
	if r.err == nil && !r.s.Is(begin) {
		r.s.Skip() // what is no JSON is that above all
		r.wrong("", why)
	}
	return r.err == nil
}

// wrong says that what comes next, or a member of it, is not as it must be.
func (r *rewriter) wrong(member, why string) {
	if r.err == nil && !r.s.Failed() {
		r.err = &conversion.DecodeError{Field: kjson.JoinPath(r.path(), member), Why: why}
	}
}

// path of what comes next.
func (r *rewriter) path() (path string) {
	for _, step := range r.at {
		if step.name != "" {
			path = kjson.JoinPath(path, step.name)
		} else {
			path += "[" + strconv.Itoa(step.index) + "]"
		}
	}
	return path
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
	r := rewriter{s: kjson.New(in), in: in, out: out, at: make([]step, 0, 8)}
	if !r.must('{', "must be an object") {
		return out, r.err
	}
	if r.object(edits); r.err != nil {
		return out, r.err
	}
	if err := r.s.Err(); err != nil {
		return out, err
	}
	return r.out, nil
}

// members reads the value that comes next as one whose members are to be written in another way. null is written as it is, and what is
// no object is an error: then there is nothing to write.
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
