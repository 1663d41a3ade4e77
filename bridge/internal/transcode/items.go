package transcode

import (
	"bytes"
	"encoding/binary"
	"strings"

	"k8s.io/apimachinery/pkg/runtime"
)

// itemsOf a body is an upper bound on the members and items that a parser makes of it, counted without parsing it. In
// text that is not nested it is the number of separators, and a parser limits the nesting.
func itemsOf(mediaType string, body []byte) int {
	switch {
	case mediaType == runtime.ContentTypeProtobuf:
		return protobufItems(bytes.TrimPrefix(body, []byte("k8s\x00")), maxProtobufDepth)
	case strings.Contains(mediaType, "yaml"):
		return yamlItems(body)
	}
	return bytes.Count(body, []byte(","))
}

// yamlItems counts what begins an item or a member in YAML: a line, a comma, and an indicator that may stand several
// times in a line.
func yamlItems(body []byte) int {
	if bytes.HasPrefix(body, []byte("\xfe\xff")) || bytes.HasPrefix(body, []byte("\xff\xfe")) {
		return len(body) // UTF-16, which no client of Kubernetes writes; half of its bytes are characters
	}
	items := 0
	for _, lineBreak := range []string{"\n", "\r", "\u0085", "\u2028", "\u2029", ","} {
		items += bytes.Count(body, []byte(lineBreak))
	}
	for i, c := range body {
		if c == '-' || c == '?' {
			isLast := i+1 == len(body)
			// The last two bytes begin other line breaks.
			if isLast || strings.IndexByte(" \t\r\n\x00\xc2\xe2", body[i+1]) >= 0 {
				items++
			}
		}
	}
	return items
}

// maxProtobufDepth of messages in messages. Objects of resource.k8s.io have some 15 levels.
const maxProtobufDepth = 64

// protobufItems counts the fields with a length in a message and in the messages in it: strings, and items of lists and
// maps, which take as little as two bytes. A string may look like a message, so the count is an upper bound.
func protobufItems(message []byte, depth int) int {
	items := 0
	for len(message) > 0 {
		tag, n := binary.Uvarint(message)
		if n <= 0 {
			return items
		}
		message = message[n:]
		skipped := 0
		switch tag & 7 {
		case 0: // varint
			_, skipped = binary.Uvarint(message)
		case 1: // 64 bits
			skipped = 8
		case 2: // a length and so many bytes
			length, n := binary.Uvarint(message)
			if n <= 0 || length > uint64(len(message)-n) {
				return items
			}
			skipped = n + int(length)
			items++
			if depth > 0 {
				items += protobufItems(message[n:skipped], depth-1)
			}
		case 5: // 32 bits
			skipped = 4
		case 3, 4: // begin and end of a group, which have no value
		default:
			return items
		}
		if skipped < 0 || skipped > len(message) || skipped == 0 && tag&7 == 0 {
			return items
		}
		message = message[skipped:]
		if items > maxItems {
			return items
		}
	}
	return items
}
