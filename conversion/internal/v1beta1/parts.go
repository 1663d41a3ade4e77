package v1beta1

import (
	"encoding/base64"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/runtime"

	v1 "github.com/claimbridge/claimbridge/api/v1"
	v1alpha3step "github.com/claimbridge/claimbridge/conversion/internal/v1alpha3"
	"github.com/claimbridge/claimbridge/internal/kjson"
	"github.com/claimbridge/claimbridge/internal/names"
)

// From 1.32 on the parameters of an entry have at most 10,240 bytes. Entries of claimbridge can be larger,
// as a handle of 1.26 has up to 16 KiB of data: then they are written in parts, one entry after the
// other, and joined going down. Their text is the entry with its members in order and few escapes,
// so that parts are the same whether or not an API server has respelled the entry. Numbers,
// which are vendors', keep their digits in it; where an API server passes the whole entry on, it
// makes float64 of all that are no int64.
//
// Nobody sees what a text says before it is joined, neither an API server nor the rules. So one
// counts only if it can be read wherever it goes.

// maxParameters in bytes is upstream's limit (resourceapi.OpaqueParametersMaxLength, since 1.32).
const maxParameters = 10 * 1024

// partText in bytes is how much of a text is in a part as base64, which makes four bytes of three:
// what is around it takes at most 160 bytes.
const partText = (maxParameters - 160) / 4 * 3

// maxLevels of objects and lists in a text. The rules let 1,000 be stored, and what is around a
// vendor's parameters in an entry has some six; an API server reads 10,000, together with what is
// around an entry in a list or a leftover.
const maxLevels = 2000

// maxKind in bytes is as long as a kind of ours is at most.
const maxKind = 32

// Part is a piece of the parameters of an entry of ours. Members stand in the order of their names.
type Part struct {
	APIVersion string `json:"apiVersion"`
	Kind       string `json:"kind"`
	Of         string `json:"of"`   // kind of the whole entry, if it has one of ours
	Part       int64  `json:"part"` // from 0
	Parts      int64  `json:"parts"`
	Text       string `json:"text"` // base64
}

// split gives the parameters of the parts; nil for an entry that is not ours, that is small enough
// in its shortest spelling, as an API server may write < as six bytes, or that could not be joined.
func split(o *v1.OpaqueDeviceConfiguration) [][]byte {
	if o == nil || o.Driver != names.Domain || len(o.Parameters.Raw) <= maxParameters {
		return nil
	}
	text := kjson.Ordered(o.Parameters.Raw)
	if !isWhole(text) {
		return nil
	}
	return partsOf(text)
}

// isWhole reports whether a text is that of an entry which is too large for one: an object, and one
// that can be read wherever it goes.
func isWhole(text []byte) bool {
	return len(text) > maxParameters && text[0] == '{' && kjson.IsDecodable(text, maxLevels)
}

// partsOf cuts a text into the parameters of parts, whatever its spelling.
func partsOf(text []byte) [][]byte {
	kind := v1alpha3step.EntryKind(&v1.OpaqueDeviceConfiguration{Parameters: runtime.RawExtension{Raw: text}})
	if len(kjson.Quote(kind)) > len(`""`)+maxKind {
		kind = ""
	}
	parts := make([][]byte, 0, len(text)/partText+1)
	for chunk := range slices.Chunk(text, partText) {
		parts = append(parts, kjson.Marshal(&Part{
			APIVersion: EntryAPIVersion, Kind: KindPart, Of: kind, Text: base64.StdEncoding.EncodeToString(chunk),
			Part: int64(len(parts)), Parts: int64((len(text) + partText - 1) / partText),
		}))
	}
	return parts
}

func splitAllocation(config []v1.DeviceAllocationConfiguration) []v1.DeviceAllocationConfiguration {
	return splitList(config, func(c *v1.DeviceAllocationConfiguration) **v1.OpaqueDeviceConfiguration {
		return &c.Opaque
	})
}

func splitClaim(config []v1.DeviceClaimConfiguration) []v1.DeviceClaimConfiguration {
	return splitList(config, func(c *v1.DeviceClaimConfiguration) **v1.OpaqueDeviceConfiguration { return &c.Opaque })
}

// splitList is the list itself when all entries are small enough.
func splitList[T any](list []T, opaque func(*T) **v1.OpaqueDeviceConfiguration) []T {
	var out []T
	for i := range list {
		parts := split(*opaque(&list[i]))
		if parts != nil && out == nil {
			out = append(make([]T, 0, len(list)+len(parts)), list[:i]...)
		}
		for _, parameters := range parts {
			part := list[i]
			*opaque(&part) = &v1.OpaqueDeviceConfiguration{
				Driver:     names.Domain,
				Parameters: runtime.RawExtension{Raw: parameters},
			}
			out = append(out, part)
		}
		if parts == nil && out != nil {
			out = append(out, list[i])
		}
	}
	if out == nil {
		return list
	}
	return out
}

func joinAllocation(config []v1.DeviceAllocationConfiguration) []v1.DeviceAllocationConfiguration {
	return joinList(config, func(c *v1.DeviceAllocationConfiguration) **v1.OpaqueDeviceConfiguration {
		return &c.Opaque
	},
		func(a, b *v1.DeviceAllocationConfiguration) bool {
			return a.Source == b.Source && slices.Equal(a.Requests, b.Requests)
		})
}

func joinClaim(config []v1.DeviceClaimConfiguration) []v1.DeviceClaimConfiguration {
	return joinList(config, func(c *v1.DeviceClaimConfiguration) **v1.OpaqueDeviceConfiguration { return &c.Opaque },
		func(a, b *v1.DeviceClaimConfiguration) bool { return slices.Equal(a.Requests, b.Requests) })
}

// joinList is the list itself when there are no parts. Parts that are not all there, in order and
// cut as partsOf does, are foreign configuration.
func joinList[T any](list []T, opaque func(*T) **v1.OpaqueDeviceConfiguration, together func(a, b *T) bool) []T {
	var out []T
	for i := 0; i < len(list); {
		joined, n := join(list[i:], opaque, together)
		if joined != nil && out == nil {
			out = append(make([]T, 0, len(list)), list[:i]...)
		}
		if joined != nil {
			whole := list[i]
			*opaque(&whole) = joined
			out = append(out, whole)
		} else if out != nil {
			out = append(out, list[i])
		}
		i += n
	}
	if out == nil {
		return list
	}
	return out
}

// join the parts that a list begins with, and say how many there are; nil and 1 when it begins with none.
func join[T any](list []T, opaque func(*T) **v1.OpaqueDeviceConfiguration,
	together func(a, b *T) bool,
) (*v1.OpaqueDeviceConfiguration, int) {
	first, ok := partOf(*opaque(&list[0]))
	if !ok || first.Part != 0 || first.Parts < 2 || first.Parts > int64(len(list)) {
		return nil, 1
	}
	var text strings.Builder
	for i := range int(first.Parts) {
		part, ok := partOf(*opaque(&list[i]))
		if !ok || part.Part != int64(i) || part.Parts != first.Parts || !together(&list[0], &list[i]) {
			return nil, 1
		}
		data, err := base64.StdEncoding.DecodeString(part.Text)
		if err != nil {
			return nil, 1
		}
		text.Write(data)
	}
	whole := []byte(text.String())
	if !wasSplit(whole) {
		return nil, 1
	}
	again := partsOf(whole)
	if len(again) != int(first.Parts) {
		return nil, 1
	}
	for i := range again {
		if string(again[i]) != string(kjson.CanonicalForm((*opaque(&list[i])).Parameters.Raw)) {
			return nil, 1
		}
	}
	return &v1.OpaqueDeviceConfiguration{Driver: names.Domain, Parameters: runtime.RawExtension{Raw: whole}}, len(again)
}

func partOf(o *v1.OpaqueDeviceConfiguration) (p Part, ok bool) {
	if !v1alpha3step.IsOurs(o, KindPart) {
		return p, false
	}
	return p, kjson.ReadStrictly(o.Parameters.Raw, &p)
}

// wasSplit reports whether a text is one that split gives parts of, or gave: an earlier one left
// members in the order, and strings in the spelling, of the author or an API server. White space
// was never in it.
func wasSplit(text []byte) bool {
	return isWhole(text) && len(kjson.Ordered(text)) > maxParameters && len(kjson.AppendCompact(nil, text)) == len(text)
}
