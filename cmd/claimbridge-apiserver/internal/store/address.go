package store

import (
	"fmt"
	"net/url"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/validate/content"
)

// address of a request. Each part is one segment of the path: what would be more, or another folder, is refused in the words of the API
// server, and the rest is escaped.
func (c *Client) address(r Request) (string, error) {
	var path strings.Builder
	path.WriteString(c.base)
	for _, part := range []struct{ what, before, is string }{
		{"Namespace", "/namespaces/", r.Namespace},
		{"Resource", "/", r.Resource},
		{"Name", "/", r.Name},
		{"Subresource", "/", r.Subresource},
	} {
		if part.is == "" {
			continue
		}
		if problems := content.IsPathSegmentName(part.is); len(problems) != 0 {
			return "", apierrors.NewBadRequest(fmt.Sprintf("%s parameter invalid: %q: %s", part.what, part.is, strings.Join(problems, ";")))
		}
		path.WriteString(part.before)
		path.WriteString(url.PathEscape(part.is))
	}
	if query := r.Query.Encode(); query != "" {
		path.WriteString("?")
		path.WriteString(query)
	}
	return path.String(), nil
}
