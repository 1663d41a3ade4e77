package review

import (
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/claimbridge/claimbridge/test/reviews"
)

// manyObjects are five pieces of objects of both versions, no two the same; bigger, smaller and as big as their answers.
func manyObjects() (objects []string) {
	for bytes := 0; bytes < 5*pieceSize; bytes += len(objects[len(objects)-1]) {
		i := len(objects)
		object, name := reviews.ClaimV1alpha2, `"name":"a"`
		if i%3 == 1 {
			object, name = reviews.ClaimV1alpha3, `"name":"b"`
		}
		if i%40 > 20 { // these shrink: white space does not come back
			object = strings.Replace(object, `"spec":`, strings.Repeat("\n ", 1500)+`"spec":`, 1)
		}
		annotation := strings.Repeat(fmt.Sprintf("é%d", i), i%2000)
		objects = append(objects, strings.Replace(object, name, fmt.Sprintf(`"name":"claim-%d","annotations":{"text":%q}`, i, annotation), 1))
	}
	return objects
}

// TestManyPiecesAreAnsweredAsSingleObjects sends reviews of several pieces, several at once, and each object on its own.
func TestManyPiecesAreAnsweredAsSingleObjects(t *testing.T) {
	s := newServer(t, Options{})
	objects := manyObjects()
	var want []string
	for _, object := range objects {
		review := reviews.Converted(t, serve(s, reviews.Post("/convert", reviews.Conversion("resource.k8s.io/v1alpha3", object))))
		checkFailure(t, review.Response, nil)
		want = append(want, string(review.Response.ConvertedObjects[0].Raw))
	}
	request := fmt.Sprintf(`{"objects":[%s],"objects":[ %s ],"uid":"the-\"uid\"","desiredAPIVersion":"resource.k8s.io/v1alpha3"}`,
		strings.Join(objects[:3], ","), strings.Join(objects, " ,\n"))
	for name, body := range map[string]string{
		"as an API server writes it":   reviews.Conversion("resource.k8s.io/v1alpha3", objects...),
		"the objects first, and twice": fmt.Sprintf(`{"request":%s,"kind":"ConversionReview","apiVersion":"apiextensions.k8s.io/v1"}`, request),
	} {
		t.Run(name, func(t *testing.T) {
			replies := make([]reviews.Reply, 4)
			var all sync.WaitGroup
			for i := range replies {
				all.Go(func() { replies[i] = serve(s, reviews.Post("/convert", body)) })
			}
			all.Wait()
			for _, response := range replies {
				review := reviews.Converted(t, response)
				checkFailure(t, review.Response, nil)
				if review.Kind != "ConversionReview" || strings.ReplaceAll(string(review.Response.UID), `"`, "") != "the-uid" {
					t.Errorf("the answer is for another review: %s %s", review.Kind, review.Response.UID)
				}
				var got []string
				for _, object := range review.Response.ConvertedObjects {
					got = append(got, string(object.Raw))
				}
				if !slices.Equal(got, want) {
					t.Errorf("%d objects differ from those that were converted one by one, %d", len(got), len(want))
				}
			}
		})
	}
}

// TestFailuresInEveryPieceAreReported: also when the answers of other pieces have taken the place of their objects.
func TestFailuresInEveryPieceAreReported(t *testing.T) {
	s := newServer(t, Options{})
	for name, broken := range map[string]string{
		"in the middle": strings.Replace(reviews.ClaimV1alpha2, `"gpu.example.com"`, `7`, 1), "null": "null",
	} {
		t.Run(name, func(t *testing.T) {
			objects := manyObjects()
			alone := reviews.Converted(t, serve(s, reviews.Post("/convert", reviews.Conversion("resource.k8s.io/v1alpha3", broken)))).Response.Result.Message
			var causes []string
			for i, piece := range piecesOf(objects) {
				at := piece.begin + (i%3)*(piece.len()-1)/2 // the first one, one in the middle, the last one
				objects[at] = broken
				causes = append(causes, strings.Replace(alone, "objects[0]", fmt.Sprintf("objects[%d]", at), 1))
			}
			review := reviews.Converted(t, serve(s, reviews.Post("/convert", reviews.Conversion("resource.k8s.io/v1alpha3", objects...))))
			want := fmt.Sprintf("%d of %d objects cannot be converted to resource.k8s.io/v1alpha3: ", len(causes), len(objects)) + strings.Join(causes, "; ")
			if got := review.Response.Result.Message; got != want || len(causes) < 5 {
				t.Errorf("got  %s\nwant %s", got, want)
			}
		})
	}
}

// piecesOf objects that have about the size of a piece together.
func piecesOf(objects []string) (pieces []span) {
	begin, bytes := 0, 0
	for i, object := range objects {
		if bytes += len(object); bytes >= pieceSize || i == len(objects)-1 {
			pieces = append(pieces, span{begin, i + 1})
			begin, bytes = i+1, 0
		}
	}
	return pieces
}

// TestABigAnswerTakesThePlaceOfItsObjects: beside the body only what the answer is longer needs memory, and a buffer; and what
// the body had before it was known that it is so big, 4 MiB and 256 KiB.
func TestABigAnswerTakesThePlaceOfItsObjects(t *testing.T) {
	body := reviews.Conversion("resource.k8s.io/v1alpha3", slices.Repeat(manyObjects(), 8)...)
	send := repeated(around(t), body)
	send()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	send()
	runtime.ReadMemStats(&after)
	if got, limit := after.TotalAlloc-before.TotalAlloc, uint64(len(body)+len(body)/3+5<<20); got > limit {
		t.Errorf("%d bytes of memory for a body of %d, want at most %d", got, len(body), limit)
	}
}

func TestOverwrite(t *testing.T) {
	for _, text := range []string{"", "short", "as long as", "longer than that"} {
		body := []byte("<as long as>")
		written, rest := overwrite(body[1:11], []byte(text))
		if got := string(written) + string(rest); got != text {
			t.Errorf("%q became %q", text, got)
		}
		if body[0] != '<' || body[11] != '>' {
			t.Errorf("%q is written over %q", text, body)
		}
	}
}
