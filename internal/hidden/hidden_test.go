package hidden

import (
	"context"
	"errors"
	"fmt"
	"testing"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// A real API server that hides a version is in the test of the server's guard.
func TestBehind(t *testing.T) {
	const index, document = "/openapi/v3", "/openapi/v3/apis/resource.k8s.io/v1beta1"
	named := func(hash string) string {
		return fmt.Sprintf(`{"paths":{"api/v1":{"serverRelativeURL":"/openapi/v3/api/v1?hash=1"},"apis/resource.k8s.io/v1beta1":{"serverRelativeURL":"%s?hash=%s"}}}`, document, hash)
	}
	titled := func(title string) string {
		return fmt.Sprintf(`{"openapi":"3.0.0","info":{"title":%q,"version":"1"}}`, title)
	}
	const none = `{"paths":{"api/v1":{"serverRelativeURL":"/openapi/v3/api/v1?hash=1"}}}`
	away := apierrors.NewServiceUnavailable("no endpoints")
	gone := apierrors.NewNotFound(schema.GroupResource{}, "v1beta1")
	forbidden := apierrors.NewForbidden(schema.GroupResource{}, "", errors.New("no"))

	tests := map[string]struct {
		answers map[string][]any // to one request after the other, then from the first on
		want    bool
		fails   error
	}{
		"no document":                          {answers: map[string][]any{index: {none}}},
		"ours alone":                           {answers: map[string][]any{index: {named("a")}, document: {titled(Title)}}},
		"ours, of two releases":                {answers: map[string][]any{index: {named("a"), named("b")}, document: {titled(Title)}}},
		"both":                                 {answers: map[string][]any{index: {named("a"), named("b")}, document: {titled(Title), titled(Title), titled("Kubernetes")}}, want: true},
		"both, and ours goes away":             {answers: map[string][]any{index: {named("a"), named("b")}, document: {away, titled("Kubernetes")}}, want: true},
		"its own alone, as ours has been away": {answers: map[string][]any{index: {named("a")}, document: {titled("Kubernetes")}}, want: true},
		"ours is away":                         {answers: map[string][]any{index: {named("a")}, document: {away}}},
		"the APIService has gone":              {answers: map[string][]any{index: {named("a")}, document: {gone}}},
		"no right to the index":                {answers: map[string][]any{index: {forbidden}}, fails: forbidden},
		"no right to the document":             {answers: map[string][]any{index: {named("a")}, document: {forbidden}}, fails: forbidden},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			asked := map[string]int{}
			got, err := Behind(t.Context(), func(_ context.Context, path string) ([]byte, error) {
				answers := test.answers[path]
				if len(answers) == 0 {
					t.Fatalf("%s was asked for", path)
				}
				answer := answers[asked[path]%len(answers)]
				asked[path]++
				if err, is := answer.(error); is {
					return nil, err
				}
				return []byte(answer.(string)), nil
			}, "resource.k8s.io/v1beta1")
			if got != test.want || !errors.Is(err, test.fails) {
				t.Errorf("want %t and %v, got %t and %v", test.want, test.fails, got, err)
			}
		})
	}
}

func TestWhatIsNoDocumentIsAnError(t *testing.T) {
	got, err := Behind(t.Context(), func(context.Context, string) ([]byte, error) { return []byte("<html>"), nil }, "resource.k8s.io/v1beta1")
	if got || err == nil {
		t.Errorf("got %t and %v", got, err)
	}
}
