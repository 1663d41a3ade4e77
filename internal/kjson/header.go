package kjson

import (
	"cmp"
	"fmt"
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
func scanHeader(object []byte) (h Header, err error) {
	var apiVersion, meta []byte
	err = scanMembers(object, func(name string, value []byte) {
		switch name {
		case "kind":
			h.Kind = StringOf(value)
		case "apiVersion":
			apiVersion = value
		case "metadata":
			meta = value
		}
	})
	if err != nil {
		return Header{}, err
	}
	h.setAPIVersion(StringOf(apiVersion))
	err = scanMembers(meta, func(name string, value []byte) {
		switch name {
		case "namespace":
			h.Namespace = StringOf(value)
		case "name":
			h.Name = StringOf(value)
		case "generateName":
			h.GenerateName = StringOf(value)
		case "uid":
			h.UID = StringOf(value)
		}
	})
	if err != nil {
		return h, fmt.Errorf("metadata: %w", err)
	}
	return h, nil
}

// scanMembers of an object, of duplicates all. An absent object and null have none.
func scanMembers(object []byte, member func(name string, value []byte)) error {
	if len(object) == 0 {
		return nil
	}
	s := New(object)
	var problem error
	for name := range s.object(&problem) {
		member(name, s.Value())
	}
	return cmp.Or(s.Err(), problem)
}

func typeOf(members []Member) (h Header) {
	h.Kind = StringOf(Get(members, "kind"))
	h.setAPIVersion(StringOf(Get(members, "apiVersion")))
	return h
}

func (h *Header) setAPIVersion(apiVersion string) {
	h.Version = apiVersion
	if i := strings.LastIndexByte(apiVersion, '/'); i >= 0 {
		h.Group, h.Version = apiVersion[:i], apiVersion[i+1:]
	}
}

func (h *Header) identify(meta []Member) {
	h.Namespace, h.Name = StringOf(Get(meta, "namespace")), StringOf(Get(meta, "name"))
	h.GenerateName, h.UID = StringOf(Get(meta, "generateName")), StringOf(Get(meta, "uid"))
}
