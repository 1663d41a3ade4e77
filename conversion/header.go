package conversion

import (
	"cmp"
	"fmt"
	"strings"
)

// Kinds that are converted.
const (
	kindClaim    = "ResourceClaim"
	kindTemplate = "ResourceClaimTemplate"
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

// clone shares no memory with the object.
func (h Header) clone() Header {
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
	members, _, err := membersOf(object)
	if err != nil {
		return Header{}, err
	}
	h := typeOf(members)
	meta, _, err := membersOf(get(members, "metadata"))
	if err != nil {
		return h.clone(), fmt.Errorf("metadata: %w", err)
	}
	h.identify(meta)
	return h.clone(), nil
}

func typeOf(members []member) (h Header) {
	h.Kind = text(get(members, "kind"))
	h.Version = text(get(members, "apiVersion"))
	if i := strings.LastIndexByte(h.Version, '/'); i >= 0 {
		h.Group, h.Version = h.Version[:i], h.Version[i+1:]
	}
	return h
}

func (h *Header) identify(meta []member) {
	h.Namespace, h.Name = text(get(meta, "namespace")), text(get(meta, "name"))
	h.GenerateName, h.UID = text(get(meta, "generateName")), text(get(meta, "uid"))
}
