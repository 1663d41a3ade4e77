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

// typeMeta of a review, parts of its body, and whether there is a request.
type typeMeta struct {
	apiVersion, kind []byte
	request          bool
}

// read a member of a review, unless it is the request: the last one counts.
func (t *typeMeta) read(r *reader) (isRequest bool) {
	switch string(r.member()) {
	case "apiVersion":
		t.apiVersion = r.text("/apiVersion")
	case "kind":
		t.kind = r.text("/kind")
	case "request":
		t.request = !r.Is('n')
		return true
	default:
		r.Skip()
	}
	return false
}

// check that what was read is a review of a kind and group, in a version that both sides know. These differ only in their names.
func (t *typeMeta) check(r *reader, kind, group string) error {
	if err := r.end(); err != nil {
		return err
	}
	given, version, _ := bytes.Cut(t.apiVersion, []byte("/"))
	if string(t.kind) != kind || string(given) != group || (string(version) != "v1" && string(version) != "v1beta1") {
		return notAReview("this is kind %q of apiVersion %q: must be %s of %s/v1 or %[4]s/v1beta1",
			refusal.Shorten(string(t.kind), 64), refusal.Shorten(string(t.apiVersion), 64), kind, group)
	}
	if !t.request {
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
	for more := r.inObject(""); more; more = r.NextMember() {
		if review.read(&r) {
			review.readRequest(&r)
		}
	}
	err := review.check(&r, "ConversionReview", "apiextensions.k8s.io")
	return review, err
}

func (review *conversionReview) readRequest(r *reader) {
	review.uid, review.desired, review.objects = nil, "", review.objects[:0]
	for more := r.inObject("/request"); more; more = r.NextMember() {
		switch string(r.member()) {
		case "uid":
			review.uid = r.text("/request/uid")
		case "desiredAPIVersion":
			review.desired = string(r.text("/request/desiredAPIVersion"))
		case "objects":
			review.readObjects(r)
		default:
			r.Skip()
		}
	}
}

func (review *conversionReview) readObjects(r *reader) {
	review.objects = review.objects[:0]
	for more := r.inArray("/request/objects"); more; more = r.NextElement() {
		if len(review.objects) == maxObjects {
			r.fail(refusal.New(http.StatusRequestEntityTooLarge, "the review holds more than %d objects: send fewer at a time", maxObjects))
			return
		}
		object := r.span()
		if cap(review.objects) == 0 { // the others are mostly like the first one
			review.objects = make([]span, 0, min(maxObjects, len(review.body)/max(object.len(), 1)+1))
		}
		review.objects = append(review.objects, object)
	}
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
