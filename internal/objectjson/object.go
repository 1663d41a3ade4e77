package objectjson

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Header identifies an object.
type Header struct {
	Group, Version, Kind, Namespace, Name, GenerateName, UID string
}

// String returns a text such as "ResourceClaim default/a".
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

// CloneHeader returns a copy that shares no memory with the object.
func CloneHeader(h Header) Header {
	for _, text := range []*string{&h.Group, &h.Version, &h.Kind, &h.Namespace, &h.Name, &h.GenerateName, &h.UID} {
		*text = strings.Clone(*text)
	}
	return h
}

// APIVersion returns group/version.
func (h Header) APIVersion() string {
	if h.Group == "" {
		return h.Version
	}
	return h.Group + "/" + h.Version
}

// ReadHeader reads the header of a JSON object of any kind. A field that is absent or of the wrong type is "".
func ReadHeader(object []byte) (Header, error) {
	h, err := scanHeader(object)
	return CloneHeader(h), err
}

// scanHeader reads only what it needs, so that an object of any size has a header.
func scanHeader(object []byte) (Header, error) {
	top, err := findMembers(object, "apiVersion", "kind", "metadata")
	if err != nil {
		return Header{}, err
	}
	meta, err := findMembers(Get(top, "metadata"), "namespace", "name", "generateName", "uid")
	if err != nil {
		err = fmt.Errorf("metadata: %w", err)
	}
	return headerOf(top, meta), err
}

// findMembers returns the members of an object that have one of the names. Of duplicates the last value counts. An
// absent object and null have none.
func findMembers(object []byte, names ...string) (found []Member, err error) {
	if len(object) == 0 {
		return nil, nil
	}
	s := NewScanner(object)
	more, problem := s.firstMember()
	for ; more; more = s.NextMember() {
		name, value := s.decodeString(s.name), s.Value()
		if i := Find(found, name); i >= 0 {
			found[i].Value = value
		} else if slices.Contains(names, name) {
			found = append(found, Member{name, value})
		}
	}
	return found, cmp.Or(s.Err(), problem)
}

// headerOf returns the header of an object with these members and these members of its metadata.
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

// Object is a Kubernetes object whose members, except metadata, are still text.
type Object struct {
	Header
	Members  []Member
	Metadata Metadata
	// Duplicates has the names of duplicate members. Of those the last value counts.
	Duplicates []string
}

// ReadObject reads an object. The result shares memory with the text, which must not change. If there is an error the
// result has a header, as far as the text has one.
func ReadObject(text []byte) (Object, error) {
	if len(text) == 0 {
		return Object{}, nil
	}
	var o Object
	s := NewScanner(text)
	var problem error
	o.Members, o.Duplicates, problem = s.readMembers(MaxMembers, func(name string) {
		if name == "metadata" {
			o.Metadata = s.readMetadata()
		} else {
			s.Skip()
		}
	})
	if err := cmp.Or(s.Err(), problem); err != nil {
		o.Header, _ = scanHeader(text)
		return o, err
	}
	o.Header = headerOf(o.Members, o.Metadata.Members)
	return o, AtPath("metadata", o.Metadata.err())
}
