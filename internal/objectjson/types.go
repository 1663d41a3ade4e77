package objectjson

import (
	"bytes"
	"errors"
	"time"

	jsonv2 "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
)

// unmarshalers and marshalers are for the types of Kubernetes whose own methods lose information, or are unsafe on
// hostile input.
var (
	unmarshalers = jsonv2.JoinUnmarshalers(
		jsonv2.UnmarshalFunc(readQuantity),
		jsonv2.UnmarshalFunc(readTime),
		jsonv2.UnmarshalFromFunc(readRaw),
		jsonv2.UnmarshalFromFunc(readFields),
	)
	marshalers = jsonv2.JoinMarshalers(
		jsonv2.MarshalToFunc(writeQuantity),
		jsonv2.MarshalToFunc(writeTime),
		jsonv2.MarshalToFunc(writeRaw),
		jsonv2.MarshalToFunc(writeNodeSelector),
	)
)

var null = []byte("null")

// readRaw keeps the text of a value.
func readRaw(from *jsontext.Decoder, into *runtime.RawExtension) (err error) {
	into.Raw, err = textOfValue(from)
	return err
}

func readFields(from *jsontext.Decoder, into *metav1.FieldsV1) error {
	text, err := textOfValue(from)
	if text != nil {
		into.SetRawBytes(text)
	}
	return err
}

// textOfValue leaves duplicate names and invalid UTF-8 in the value to its consumer. The text of null is nil.
func textOfValue(from *jsontext.Decoder) ([]byte, error) {
	var value jsontext.Value
	if err := jsonv2.UnmarshalDecode(from, &value, lenientText); err != nil || value.Kind() == 'n' {
		return nil, err
	}
	return value, nil
}

var errRawValue = errors.New("a raw value is not JSON")

// writeRaw writes the text, and not what a decoder made of it. An empty text is written as null.
func writeRaw(to *jsontext.Encoder, from *runtime.RawExtension) error {
	if len(from.Raw) == 0 {
		return to.WriteToken(jsontext.Null)
	}
	if to.WriteValue(from.Raw) != nil {
		return errRawValue
	}
	return nil
}

// writeNodeSelector omits an empty list of terms. The type of Kubernetes does not omit it, and would write null, which
// its schema rejects.
func writeNodeSelector(to *jsontext.Encoder, from *corev1.NodeSelector) error {
	if len(from.NodeSelectorTerms) > 0 {
		return errors.ErrUnsupported
	}
	return to.WriteValue([]byte("{}"))
}

var (
	errInvalidTime = &FieldError{Reason: "must be a time as RFC 3339 has it, such as 2026-01-31T12:00:00Z"}
	// An API server writes such a time in UTC, as a text that no client can read.
	errYearOutOfRange = &FieldError{
		Reason: "is a time whose year in UTC is before 0 or after 9999, which RFC 3339 has no text for",
	}
)

// readTime reads a time of RFC 3339 as a local time, like the method of the type.
func readTime(value []byte, into *metav1.Time) error {
	if bytes.Equal(value, null) {
		return nil
	}
	t, err := time.Parse(time.RFC3339, StringOf(value))
	if err != nil {
		return errInvalidTime
	}
	if year := t.UTC().Year(); year < 0 || year > 9999 {
		return errYearOutOfRange
	}
	into.Time = t.Local()
	return nil
}

// writeTime writes a time in UTC, with the fractions of a second that the method of the type cuts off. An unset time is
// written as null. The first second of the year 1 can be a time that a client wrote: it was read as a local time.
func writeTime(to *jsontext.Encoder, from *metav1.Time) error {
	if from.IsZero() && from.Location() == time.UTC {
		return to.WriteToken(jsontext.Null)
	}
	return to.WriteToken(jsontext.String(from.UTC().Format(time.RFC3339Nano)))
}

func writeQuantity(to *jsontext.Encoder, from *resource.Quantity) error {
	return to.WriteToken(jsontext.String(quantityText(*from)))
}
