package review

import (
	"bytes"
	"context"
	"fmt"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
	jsonpatch "gopkg.in/evanphx/json-patch.v4"
	"sigs.k8s.io/controller-runtime/pkg/webhook/admission"
)

// manyItems by their commas: a bigger object is judged when its defaults are set, which is before an API server holds it to the schema of its
// definition. The server compares each error of a schema with each other one: 8,000 empty requests keep it busy for seconds, and as many as fit
// into a body for hours. 512 cost it 20 ms.
const manyItems = 512

func isBig(object []byte) bool { return commas(object) > manyItems }

// judgeBig judges a big object as it will be with its defaults.
func (d *defaulter) judgeBig(ctx context.Context, request admission.Request, patch []byte) admission.Response {
	if manyUnschematic(request.Object.Raw) {
		return refuse(fmt.Sprintf("more than %d quantities in capacity.requests are fractions or have blanks: quote fractions, and leave out blanks", manyItems))
	}
	if len(patch) > 0 {
		operations, err := jsonpatch.DecodePatch(patch)
		if err == nil {
			request.Object.Raw, err = operations.Apply(request.Object.Raw)
		}
		if err != nil {
			return refuse(fmt.Sprintf("the defaults cannot be set: %v", err))
		}
	}
	return d.judge.Handle(ctx, request)
}

// manyUnschematic reports whether an object has more than manyItems quantities that the rules take, as Kubernetes does, and a schema refuses: numbers
// that are no int64, and texts with blanks around them. They are all that no rule counts.
func manyUnschematic(object []byte) bool {
	n := 0
	for d := jsontext.NewDecoder(bytes.NewReader(object), leniently); n <= manyItems; {
		token, err := d.ReadToken()
		if err != nil {
			return false // at its end, or no JSON, as the judge will say
		}
		odd := false
		switch text := token.String(); token.Kind() {
		case '0':
			odd = strings.ContainsAny(text, ".eE") || len(text) > 18
		case '"':
			odd = text != strings.TrimSpace(text)
		}
		if odd && strings.Contains(string(d.StackPointer()), "/capacity/requests/") {
			n++
		}
	}
	return true
}
