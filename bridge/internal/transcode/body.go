package transcode

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"unicode/utf8"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/serializer/protobuf"
	"k8s.io/client-go/kubernetes/scheme"
)

const (
	// maxBodyBytes is the limit of kube-apiserver for a request.
	maxBodyBytes = 3 << 20
	// maxCommas is the limit for the commas in a request body, whose number is close to that of its values. The largest
	// object is a slice of 128 devices with 32 attributes and capacities each, and a manager for each of their fields:
	// some 30,000 values. Without a limit, decoding a body of "{},{},..." would need a hundred times its size.
	maxCommas = 1 << 16
	// maxEscapedBytes is the limit for the escaped size of a body, which is six times its size if it consists of
	// characters that encoding/json escapes. Objects have few of them, but each field of protobuf has some in its tag and
	// length.
	maxEscapedBytes = 2 * maxBodyBytes
	// maxObjectBytes is the limit for one object of a response. etcd has a limit of 1.5 MiB for an object as protobuf.
	// As JSON, an empty field has some 30 bytes instead of two. No useful object is 16 times as large.
	maxObjectBytes = 24 << 20
)

// ErrRequestBody is the error for a request body that cannot be read completely.
var ErrRequestBody = errors.New("cannot read the request body")

// readBody returns the body of a request. It rejects a body that exceeds a limit.
func readBody(r *http.Request) ([]byte, error) {
	if r.Body == nil {
		return nil, nil
	}
	body, err := io.ReadAll(io.LimitReader(r.Body, maxBodyBytes+1))
	switch {
	case err != nil:
		return nil, fmt.Errorf("%w: %w", ErrRequestBody, err)
	case len(body) > maxBodyBytes:
		return nil, tooLarge("the request body exceeds the limit of %d bytes", maxBodyBytes)
	}
	// Each value except the first one of an object or array follows a comma, and nesting is limited to 10,000 levels.
	count := bytes.Count(body, []byte(","))
	isProtobuf := mediaTypeOf(r.Header) == runtime.ContentTypeProtobuf
	if isProtobuf {
		count = countFields(bytes.TrimPrefix(body, []byte("k8s\x00")), maxProtobufDepth)
	}
	if count > maxCommas {
		return nil, tooLarge("the request body has more than %d commas or protobuf fields: make it smaller", maxCommas)
	}
	if escapedSize(body, isProtobuf) > maxEscapedBytes {
		return nil, tooLarge("the request body exceeds the limit of %d bytes when it is escaped as JSON: use fewer of the "+
			"characters <, > and &, control characters, and bytes that are not UTF-8", maxEscapedBytes)
	}
	return body, nil
}

// escapedSize returns the size of a body in which all characters that encoding/json escapes are escaped. In JSON,
// control characters are white space, or escaped already.
func escapedSize(body []byte, isProtobuf bool) int {
	const escapeBytes = len(`\u003c`)
	size := len(body)
	for len(body) > 0 {
		r, n := utf8.DecodeRune(body)
		body = body[n:]
		isInvalid := r == utf8.RuneError && n == 1
		isControl := r < ' ' && isProtobuf
		if isInvalid || isControl || r == '<' || r == '>' || r == '&' {
			size += escapeBytes - n
		}
	}
	return size
}

// readObject returns the object in the body of a create or update request as JSON.
func (p versionPair) readObject(r *http.Request) ([]byte, error) {
	mediaType := mediaTypeOf(r.Header)
	if mediaType != runtime.ContentTypeJSON && mediaType != runtime.ContentTypeProtobuf {
		return nil, unsupportedMediaType("the bridge does not support request bodies of type %q: send %s or %s",
			mediaType, runtime.ContentTypeJSON, runtime.ContentTypeProtobuf)
	}
	body, err := readBody(r)
	if err != nil {
		return nil, err
	}
	if mediaType == runtime.ContentTypeProtobuf {
		return p.decodeProtobuf(body)
	}
	if !json.Valid(body) {
		return nil, badRequest("the request body is not JSON")
	}
	return body, nil
}

// decodeProtobuf returns an object in protobuf as JSON. It needs the Go type of the object. A program that uses the
// library and sends protobuf has it, because its client-go registers it. The proxy has the types of the client-go that
// it is built with.
func (p versionPair) decodeProtobuf(body []byte) ([]byte, error) {
	gvk := p.requestedGVK()
	object, err := scheme.Scheme.New(gvk)
	if err != nil {
		return nil, unsupportedMediaType("the client-go of the bridge has no Go type for %s, which it needs to read "+
			"protobuf: send %s (in Go, set ContentType in rest.Config)", gvk, runtime.ContentTypeJSON)
	}
	_, sent, err := protobuf.NewSerializer(scheme.Scheme, scheme.Scheme).Decode(body, &gvk, object)
	if err != nil {
		return nil, badRequest("the request body is not an object of %s: %v", gvk, err)
	}
	if *sent != gvk {
		return nil, badRequest("the request body has an object of %s, not of %s", sent, gvk)
	}
	object.GetObjectKind().SetGroupVersionKind(gvk)
	text, err := json.Marshal(object)
	if err != nil { // parameters of a driver may not be JSON
		return nil, badRequest("the request body cannot be converted to JSON: %v", err)
	}
	return text, nil
}

// maxProtobufDepth is the number of levels of nested messages that countFields descends. Objects of resource.k8s.io
// have some 15 levels.
const maxProtobufDepth = 64

// countFields counts the length-delimited fields of a protobuf message and of its nested messages: strings, and items
// of lists and maps. Such a field can be as short as two bytes. A string may look like a message, so the count is an
// upper bound.
func countFields(message []byte, depth int) int {
	count := 0
	for len(message) > 0 && count <= maxCommas {
		tag, n := binary.Uvarint(message)
		if n <= 0 {
			return count
		}
		message = message[n:]
		length := 0
		switch tag & 7 {
		case 0: // varint
			_, length = binary.Uvarint(message)
			if length == 0 {
				return count
			}
		case 1: // 64 bits
			length = 8
		case 2: // length-delimited
			size, n := binary.Uvarint(message)
			if n <= 0 || size > uint64(len(message)-n) {
				return count
			}
			length = n + int(size)
			count++
			if depth > 0 {
				count += countFields(message[n:length], depth-1)
			}
		case 5: // 32 bits
			length = 4
		case 3, 4: // begin and end of a group, which have no value
		default:
			return count
		}
		if length < 0 || length > len(message) {
			return count
		}
		message = message[length:]
	}
	return count
}
