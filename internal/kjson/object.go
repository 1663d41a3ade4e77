package kjson

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Header is what identifies an object.
type Header struct {
	Group, Version, Kind, Namespace, Name, GenerateName, UID string
}

// String is like "ResourceClaim default/a".
func (h Header) String() string {
	name := h.Name
	if name == "" && h.GenerateName != "" {
		name = h.GenerateName + "*"
	}
	name = cmp.Or(name, "(no name)")
	if h.Namespace != "" {
		name = h.Namespace + "/" + name
	}
	return cmp.Or(h.Kind, "object") + " " + name
}

// CloneHeader shares no memory with the object.
func CloneHeader(h Header) Header {
	for _, text := range []*string{&h.Group, &h.Version, &h.Kind, &h.Namespace, &h.Name, &h.GenerateName, &h.UID} {
		*text = strings.Clone(*text)
	}
	return h
}

// APIVersion is group/version.
func (h Header) APIVersion() string {
	if h.Group == "" {
		return h.Version
	}
	return h.Group + "/" + h.Version
}

// ReadHeader reads the identity of a JSON object, whatever its kind. What is absent or of the wrong type is "".
func ReadHeader(object []byte) (Header, error) {
	h, err := scanHeader(object)
	return CloneHeader(h), err
}

// scanHeader reads no more than it needs, so that any object has a header, however big it is.
func scanHeader(object []byte) (Header, error) {
	top, err := pick(object, "apiVersion", "kind", "metadata")
	if err != nil {
		return Header{}, err
	}
	meta, err := pick(Get(top, "metadata"), "namespace", "name", "generateName", "uid")
	if err != nil {
		err = fmt.Errorf("metadata: %w", err)
	}
	return headerOf(top, meta), err
}

// pick members of an object, of duplicates the last one. An absent object and null have none.
func pick(object []byte, names ...string) (picked []Member, problem error) {
	if len(object) == 0 {
		return nil, nil
	}
	s := New(object)
	for more := s.first(&problem); more; more = s.NextMember() {
		name, value := s.nameOf(s.name), s.Value()
		if i := Find(picked, name); i >= 0 {
			picked[i].Value = value
		} else if slices.Contains(names, name) {
			picked = append(picked, Member{name, value})
		}
	}
	return picked, cmp.Or(s.Err(), problem)
}

// headerOf an object with such members, and such ones of its metadata.
func headerOf(top, meta []Member) (h Header) {
	h.Version = StringOf(Get(top, "apiVersion"))
	if i := strings.LastIndexByte(h.Version, '/'); i >= 0 {
		h.Group, h.Version = h.Version[:i], h.Version[i+1:]
	}
	h.Kind = StringOf(Get(top, "kind"))
	h.Namespace, h.Name = StringOf(Get(meta, "namespace")), StringOf(Get(meta, "name"))
	h.GenerateName, h.UID = StringOf(Get(meta, "generateName")), StringOf(Get(meta, "uid"))
	return h
}

// Object is a Kubernetes object whose members but metadata are still as they were written.
type Object struct {
	Header
	Members  []Member
	Metadata Metadata
	// Duplicates are the names of members that came more than once; of them the last one counts.
	Duplicates []string
}

// ReadObject reads an object. It shares memory with the text, which must not change while it is
// used. An object that cannot be read has a header all the same, as far as it can be found.
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
