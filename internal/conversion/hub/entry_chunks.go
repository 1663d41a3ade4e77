package hub

import (
	"encoding/base64"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/runtime"

	v1 "github.com/claimbridge/claimbridge/api/v1"
	"github.com/claimbridge/claimbridge/internal/names"
	"github.com/claimbridge/claimbridge/internal/objectjson"
)

// Since Kubernetes 1.32 the parameters of a configuration have at most 10,240 bytes. An entry of claimbridge can be
// larger: a handle of v1alpha1 has up to 16 KiB of data. Such an entry is split into chunks in v1beta1 and later:
// consecutive entries of kind Part. They are joined in the reverse conversion.
//
// The text that is split is the entry with its members in order and as few escapes as possible, so that an API server
// that re-encodes the entry does not change the chunks. Numbers in it, which are a vendor's, keep their digits. In an
// entry that is not split, an API server turns a number that does not fit in an int64 into a float64.
//
// Neither an API server nor the validation sees the text before it is joined. So it is joined only if every API server
// can decode it.

// maxParameters in bytes is the limit of Kubernetes (resourceapi.OpaqueParametersMaxLength, since 1.32).
const maxParameters = 10 * 1024

// maxChunk in bytes is how much of the text a chunk holds. Base64 encodes three bytes as four, and the rest of a chunk
// has at most 160 bytes.
const maxChunk = (maxParameters - 160) / 4 * 3

// maxEntryDepth is how deep objects and lists may nest in the text. The validation accepts 1,000 levels in a vendor's
// parameters, and an entry adds about six. An API server decodes 10,000, including those around the entry.
const maxEntryDepth = 2000

// maxKind in bytes is the maximum length of a kind of claimbridge.
const maxKind = 32

// ChunkEntry is a chunk of the parameters of an entry.
type ChunkEntry struct {
	APIVersion string `json:"apiVersion"`
	Kind       string `json:"kind"`
	Of         string `json:"of"`   // kind of the whole entry, or "" if it is not one of claimbridge
	Index      int64  `json:"part"` // from 0
	Count      int64  `json:"parts"`
	Text       string `json:"text"` // base64
}

// splitParameters returns the parameters of the chunks of an entry. It returns nil for configuration of another driver,
// for an entry within the limit in its shortest form (an API server may write < as six bytes), and for an entry that
// could not be joined again.
func splitParameters(opaque *v1.OpaqueDeviceConfiguration) [][]byte {
	if opaque == nil || opaque.Driver != names.Domain || len(opaque.Parameters.Raw) <= maxParameters {
		return nil
	}
	text := objectjson.CanonicalWithDigits(opaque.Parameters.Raw)
	if !mustBeSplit(text) {
		return nil
	}
	return splitText(text)
}

// mustBeSplit reports whether a text is an object that exceeds the limit and that every API server can decode.
func mustBeSplit(text []byte) bool {
	return len(text) > maxParameters && text[0] == '{' && objectjson.IsDecodable(text, maxEntryDepth)
}

// splitText returns the parameters of the chunks of a text.
func splitText(text []byte) [][]byte {
	kind := EntryKind(&v1.OpaqueDeviceConfiguration{Parameters: runtime.RawExtension{Raw: text}})
	if len(objectjson.Quote(kind)) > len(`""`)+maxKind {
		kind = ""
	}
	chunks := make([][]byte, 0, len(text)/maxChunk+1)
	for content := range slices.Chunk(text, maxChunk) {
		chunks = append(chunks, objectjson.Marshal(&ChunkEntry{
			APIVersion: EntryAPIVersion,
			Kind:       KindChunk,
			Of:         kind,
			Index:      int64(len(chunks)),
			Count:      int64((len(text) + maxChunk - 1) / maxChunk),
			Text:       base64.StdEncoding.EncodeToString(content),
		}))
	}
	return chunks
}

func opaqueOfAllocation(c *v1.DeviceAllocationConfiguration) **v1.OpaqueDeviceConfiguration {
	return &c.Opaque
}

func opaqueOfClaim(c *v1.DeviceClaimConfiguration) **v1.OpaqueDeviceConfiguration { return &c.Opaque }

func splitAllocationConfig(config []v1.DeviceAllocationConfiguration) []v1.DeviceAllocationConfiguration {
	return splitEntries(config, opaqueOfAllocation)
}

func splitClaimConfig(config []v1.DeviceClaimConfiguration) []v1.DeviceClaimConfiguration {
	return splitEntries(config, opaqueOfClaim)
}

func joinAllocationConfig(config []v1.DeviceAllocationConfiguration) []v1.DeviceAllocationConfiguration {
	return joinEntries(config, opaqueOfAllocation, func(a, b *v1.DeviceAllocationConfiguration) bool {
		return a.Source == b.Source && slices.Equal(a.Requests, b.Requests)
	})
}

func joinClaimConfig(config []v1.DeviceClaimConfiguration) []v1.DeviceClaimConfiguration {
	return joinEntries(config, opaqueOfClaim, func(a, b *v1.DeviceClaimConfiguration) bool {
		return slices.Equal(a.Requests, b.Requests)
	})
}

// splitEntries returns a list with entries that exceed the limit replaced by their chunks, or the list itself if there
// are none.
func splitEntries[T any](list []T, opaque func(*T) **v1.OpaqueDeviceConfiguration) []T {
	out := make([]T, 0, len(list))
	for i := range list {
		chunks := splitParameters(*opaque(&list[i]))
		if chunks == nil {
			out = append(out, list[i])
		}
		for _, parameters := range chunks {
			chunk := list[i]
			*opaque(&chunk) = &v1.OpaqueDeviceConfiguration{
				Driver:     names.Domain,
				Parameters: runtime.RawExtension{Raw: parameters},
			}
			out = append(out, chunk)
		}
	}
	if len(out) == len(list) { // an entry that is split has at least two chunks
		return list
	}
	return out
}

// joinEntries returns a list with chunks replaced by their entries, or the list itself if there are none. Chunks that
// are incomplete, not in order, or not as splitText returns them are ordinary configuration.
func joinEntries[T any](
	list []T, opaque func(*T) **v1.OpaqueDeviceConfiguration, belongTogether func(a, b *T) bool,
) []T {
	out := make([]T, 0, len(list))
	for i := 0; i < len(list); {
		joined, n := joinFirst(list[i:], opaque, belongTogether)
		if joined == nil {
			out = append(out, list[i])
		} else {
			whole := list[i]
			*opaque(&whole) = joined
			out = append(out, whole)
		}
		i += n
	}
	if len(out) == len(list) { // a joined entry has at least two chunks
		return list
	}
	return out
}

// joinFirst returns the entry whose chunks a list starts with, and their number. It returns nil and 1 if the list
// starts with other configuration.
func joinFirst[T any](
	list []T, opaque func(*T) **v1.OpaqueDeviceConfiguration, belongTogether func(a, b *T) bool,
) (*v1.OpaqueDeviceConfiguration, int) {
	first, ok := readChunkEntry(*opaque(&list[0]))
	if !ok || first.Index != 0 || first.Count < 2 || first.Count > int64(len(list)) {
		return nil, 1
	}
	var text strings.Builder
	for i := range int(first.Count) {
		chunk, ok := readChunkEntry(*opaque(&list[i]))
		if !ok || chunk.Index != int64(i) || chunk.Count != first.Count || !belongTogether(&list[0], &list[i]) {
			return nil, 1
		}
		data, err := base64.StdEncoding.DecodeString(chunk.Text)
		if err != nil {
			return nil, 1
		}
		text.Write(data)
	}
	whole := []byte(text.String())
	if !wasSplit(whole) {
		return nil, 1
	}
	expected := splitText(whole)
	if len(expected) != int(first.Count) {
		return nil, 1
	}
	for i := range expected {
		if string(expected[i]) != string(objectjson.CanonicalOrSame((*opaque(&list[i])).Parameters.Raw)) {
			return nil, 1
		}
	}
	joined := &v1.OpaqueDeviceConfiguration{Driver: names.Domain, Parameters: runtime.RawExtension{Raw: whole}}
	return joined, len(expected)
}

func readChunkEntry(opaque *v1.OpaqueDeviceConfiguration) (chunk ChunkEntry, ok bool) {
	if !isEntry(opaque, KindChunk) {
		return chunk, false
	}
	ok = objectjson.DecodeStrict(opaque.Parameters.Raw, &chunk)
	return chunk, ok
}

// wasSplit reports whether splitParameters splits a text. A text that was split by an earlier build may have members in
// another order and other escapes, but no white space.
func wasSplit(text []byte) bool {
	return mustBeSplit(text) && len(objectjson.CanonicalWithDigits(text)) > maxParameters &&
		len(objectjson.AppendCompact(nil, text)) == len(text)
}
