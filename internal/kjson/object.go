package kjson

import "cmp"

// Object is a Kubernetes object whose members but metadata are still as they were written.
type Object struct {
	Header
	Members  []Member
	Metadata Metadata
	// Duplicates are the names of members that came more than once; of them the last one counts.
	Duplicates []string
}

// Forget all but the memory of its lists.
func (o *Object) Forget() {
	o.Metadata.Forget()
	*o = Object{Members: emptied(o.Members), Metadata: o.Metadata}
}

// ReadObject reads an object. It shares memory with the text, which must not change while it is used. An object that cannot
// be read has a header all the same, as far as it can be found.
func ReadObject(text []byte, o *Object) error {
	if err := o.read(text); err != nil {
		o.Header, _ = scanHeader(text)
		return err
	}
	o.Header = headerOf(o.Members, o.Metadata.Members)
	return Within("metadata", o.Metadata.problem())
}

// read the members, and of metadata those as well.
func (o *Object) read(text []byte) error {
	if len(text) == 0 {
		return nil
	}
	s := New(text)
	var problem error
	o.Members, o.Duplicates, problem = s.collect(o.Members, MaxMembers, func(name string) {
		if name == "metadata" {
			o.Metadata.scan(&s)
		} else {
			s.Skip()
		}
	})
	return cmp.Or(s.Err(), problem)
}
