package review

import (
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/claimbridge/claimbridge/webhook/internal/refusal"
)

// conversionReview of apiextensions.k8s.io, what there is to read in it. API servers write it in this order.
type conversionReview struct {
	Kind       text              `json:"kind"`
	APIVersion text              `json:"apiVersion"`
	Request    conversionRequest `json:"request"`
}

type conversionRequest struct {
	UID text `json:"uid"`
	// Desired is the wanted apiVersion, group and version.
	Desired text    `json:"desiredAPIVersion"`
	Objects objects `json:"objects"`
	there   bool
}

// UnmarshalJSONFrom reads the one request that there may be; null is none.
func (request *conversionRequest) UnmarshalJSONFrom(d *jsontext.Decoder) error {
	if request.there {
		return notAReview("the review has two requests")
	}
	if err := expect(d, '{', "an object"); err != nil {
		return err
	}
	if d.PeekKind() == 'n' {
		return d.SkipValue()
	}
	request.there = true
	type members conversionRequest
	return json.UnmarshalDecode(d, (*members)(request))
}

// read a review, whose objects are seen as they come, when the wanted version is known.
func (review *conversionReview) read(d *jsontext.Decoder) error {
	err := expect(d, '{', "an object")
	if err == nil {
		err = json.UnmarshalDecode(d, review)
	}
	if err == nil {
		err = end(d)
	}
	if err == nil {
		err = checkReview(string(review.Kind), string(review.APIVersion), "ConversionReview", "apiextensions.k8s.io",
			review.Request.there)
	}
	return err
}

// checkReview says whether it is a review of a kind and group, in a version that both sides know.
// These differ only in their names.
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
