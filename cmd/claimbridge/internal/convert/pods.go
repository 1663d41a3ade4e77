package convert

import (
	"bytes"
	"fmt"
	"regexp"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/claimbridge/claimbridge/api"
	"github.com/claimbridge/claimbridge/internal/kjson"
)

// hasPodClaims reports whether a text may hold a pod that uses claims, which most do not.
func hasPodClaims(text []byte) bool { return bytes.Contains(text, []byte("resourceClaims")) }

// podClaim is where a pod names a claim or a template. Up to Kubernetes 1.30 that is below source. Pods are found by this
// shape, in whatever kind of object they or their templates are.
var podClaim = regexp.MustCompile(`^(?:.*/)?resourceClaims/\d+/(source/)?resourceClaim(?:Template)?Name$`)

// wrongPodClaims says where an object has pods that name their claims in the way of releases that do not go with the
// version; empty when there are none.
func wrongPodClaims(object []byte, version string) string {
	flat := api.HasDevices(version)
	first, found := "", 0
	dec := jsontext.NewDecoder(bytes.NewReader(object), jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	for {
		token, err := dec.ReadToken()
		if err != nil {
			break // the end; it was read before, so it is JSON
		}
		if token.Kind() != '"' || !strings.HasPrefix(token.String(), "resourceClaim") {
			continue
		}
		pointer := dec.StackPointer()
		match := podClaim.FindStringSubmatch(string(pointer))
		if match == nil || (match[1] == "") == flat || dec.PeekKind() != '"' {
			continue
		}
		if found++; first == "" && flat {
			first = kjson.PointerPath(pointer.Parent())
		} else if first == "" {
			first = kjson.PointerPath(pointer)
		}
		_ = dec.SkipValue() // its value has the same pointer
	}
	if found == 0 {
		return ""
	}
	others := ""
	if found > 1 {
		others = fmt.Sprintf(" (and %d more)", found-1)
	}
	if flat {
		return first + others + ": Kubernetes 1.31 and later do not have this field; write what is in it beside the name"
	}
	return first + others + ": Kubernetes 1.30 and earlier have this field below source"
}
