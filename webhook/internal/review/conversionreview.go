package review

import (
	"bytes"
	"net/http"

	"github.com/claimbridge/claimbridge/internal/kjson"
	"github.com/claimbridge/claimbridge/webhook/internal/refusal"
)

// maxObjects in a review. A full body of 64 MiB holds that many of 671 bytes, less than the smallest claim that an API
// server stores; without a bound a body of "0,0,0,..." would make eight times its size in spans of objects.
const maxObjects = 100_000

// typeMeta of a review, parts of its body.
type typeMeta struct{ apiVersion, kind []byte }

// check that a review is of a kind and group, in a version that both sides know. These differ only in their names.
func (t typeMeta) check(kind, group string) error {
	given, version, _ := bytes.Cut(t.apiVersion, []byte("/"))
	if string(t.kind) == kind && string(given) == group && (string(version) == "v1" || string(version) == "v1beta1") {
		return nil
	}
	return notAReview("this is kind %q of apiVersion %q: must be %s of %s/v1 or %[4]s/v1beta1",
		refusal.Shorten(string(t.kind), 64), refusal.Shorten(string(t.apiVersion), 64), kind, group)
}

// read a review of a kind and group. A request that comes twice is read twice, and the last one counts.
func (t *typeMeta) read(r *reader, kind, group string, readRequest func() error) error {
	request := false
	err := r.document(func(name []byte) error {
		switch string(name) {
		case "apiVersion":
			return r.textPart(&t.apiVersion)
		case "kind":
			return r.textPart(&t.kind)
		case "request":
			request = !r.Is('n')
			return readRequest()
		}
		return r.skip()
	})
	if err != nil {
		return unread(err)
	}
	if err := t.check(kind, group); err != nil {
		return err
	}
	if !request {
		return notAReview("the review has no request")
	}
	return nil
}

// conversionReview of apiextensions.k8s.io, what there is to read in it.
type conversionReview struct {
	typeMeta
	body []byte
	// uid is a part of the body, outside of the objects.
	uid []byte
	// desired is the wanted apiVersion, group and version.
	desired string
	// objects by where they are in the body.
	objects []span
}

func readConversionReview(body []byte) (conversionReview, error) {
	review := conversionReview{body: body}
	r := newReader(body)
	err := review.read(&r, "ConversionReview", "apiextensions.k8s.io", func() error { return review.readRequest(&r) })
	return review, err
}

func (review *conversionReview) readRequest(r *reader) error {
	review.uid, review.desired, review.objects = nil, "", review.objects[:0]
	return r.object(func(name []byte) error {
		switch string(name) {
		case "uid":
			return r.textPart(&review.uid)
		case "desiredAPIVersion":
			return r.text(&review.desired)
		case "objects":
			review.objects = review.objects[:0]
			return r.array(func() error {
				if len(review.objects) == maxObjects {
					return refusal.New(http.StatusRequestEntityTooLarge, "the review holds more than %d objects: send fewer at a time", maxObjects)
				}
				object, err := r.span()
				if cap(review.objects) == 0 { // the others are mostly like the first one
					review.objects = make([]span, 0, min(maxObjects, len(review.body)/max(object.len(), 1)+1))
				}
				review.objects = append(review.objects, object)
				return err
			})
		}
		return r.skip()
	})
}

// unread says what is wrong with a body; a refusal stays what it is.
func unread(err error) error {
	if r, ok := err.(*refusal.Error); ok { //nolint:errorlint // the reader wraps nothing
		return r
	}
	return notAReview("the body is not a review: %v", err)
}

// maxHead is room for the head and the end of an answer, whose uid is the request's: 36 bytes from an API server.
const maxHead = 256

// appendHead opens an answer in the review version of the request, up to the rest of its response.
func (review *conversionReview) appendHead(out []byte) []byte {
	out = append(out, `{"kind":"ConversionReview","apiVersion":"`...)
	out = append(out, review.apiVersion...) // one of two constants, by now
	out = append(out, `","response":{"uid":`...)
	out = kjson.AppendQuotedBytes(out, review.uid)
	return append(out, `,"convertedObjects":[`...)
}

func appendSuccess(out []byte) []byte { return append(out, `],"result":{"status":"Success"}}}`...) }

// failure is a whole answer that says why nothing was converted. An API server reads only the message.
func (review *conversionReview) failure(message string) []byte {
	out := append(review.appendHead(nil), `],"result":{"status":"Failure","message":`...)
	return append(kjson.AppendQuoted(out, message), `}}}`...)
}
