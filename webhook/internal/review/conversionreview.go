package review

import (
	"net/http"
	"strings"

	"github.com/claimbridge/claimbridge/webhook/internal/refusal"
)

// maxObjects in a review. A full body of 64 MiB holds that many of 671 bytes, less than the smallest claim that an API
// server stores; without a bound a body of "0,0,0,..." would fail 30 million times.
const maxObjects = 100_000

// conversionReview of apiextensions.k8s.io, what there is to read in it beside the objects. API servers write it in this order.
type conversionReview struct {
	kind, apiVersion string
	requested        bool
	uid              string
	// desired is the wanted apiVersion, group and version.
	desired string
	// objects that were read.
	objects int
}

// read a review, and see each of its objects as it comes, when the wanted version is known.
func (review *conversionReview) read(r *reader, see func(object []byte) error) error {
	err := r.members(func(name []byte) (_ bool, err error) {
		switch string(name) {
		case "kind":
			review.kind, err = r.text()
		case "apiVersion":
			review.apiVersion, err = r.text()
		case "request":
			if review.requested {
				return true, notAReview("the review has two requests")
			}
			review.requested = r.PeekKind() != 'n'
			err = review.readRequest(r, see)
		default:
			return false, nil
		}
		return true, err
	})
	if err == nil {
		err = r.end()
	}
	if err == nil {
		err = checkReview(review.kind, review.apiVersion, "ConversionReview", "apiextensions.k8s.io", review.requested)
	}
	return r.call.unreadable(err)
}

func (review *conversionReview) readRequest(r *reader, see func(object []byte) error) error {
	seen := false
	return r.members(func(name []byte) (_ bool, err error) {
		switch string(name) {
		case "uid":
			review.uid, err = r.text()
		case "desiredAPIVersion":
			if seen {
				return true, notAReview("desiredAPIVersion stands behind objects: API servers write it before them")
			}
			review.desired, err = r.text()
		case "objects":
			if seen {
				return true, notAReview("the request has two lists of objects")
			}
			seen = true
			err = r.elements(func(object []byte) error {
				if review.objects == maxObjects {
					return refusal.New(http.StatusRequestEntityTooLarge, "the review holds more than %d objects: send fewer at a time", maxObjects)
				}
				review.objects++
				return see(object)
			})
		default:
			return false, nil
		}
		return true, err
	})
}

// checkReview says whether it is a review of a kind and group, in a version that both sides know. These differ only in their names.
func checkReview(kind, apiVersion, wantedKind, wantedGroup string, requested bool) error {
	group, version, _ := strings.Cut(apiVersion, "/")
	if kind != wantedKind || group != wantedGroup || version != "v1" && version != "v1beta1" {
		return notAReview("this is kind %q of apiVersion %q: must be %s of %s/v1 or %[4]s/v1beta1",
			refusal.Shorten(kind, 64), refusal.Shorten(apiVersion, 64), wantedKind, wantedGroup)
	}
	if !requested {
		return notAReview("the review has no request")
	}
	return nil
}
