package transcode

import (
	"mime"
	"net/http"
	"strings"

	"k8s.io/apimachinery/pkg/runtime"
)

// AcceptedJSON returns the clauses of an Accept header that JSON satisfies. It keeps their parameters, which may
// request a table or only the metadata. It returns false if the client does not accept JSON.
func AcceptedJSON(header http.Header) (accept string, ok bool) {
	values := header.Values("Accept")
	if len(values) == 0 {
		return runtime.ContentTypeJSON, true
	}
	var clauses []string
	for _, clause := range strings.Split(strings.Join(values, ","), ",") {
		mediaType, _, err := mime.ParseMediaType(clause)
		switch {
		case err != nil:
		case mediaType == runtime.ContentTypeJSON:
			clauses = append(clauses, strings.TrimSpace(clause))
		case mediaType == "*/*": // API servers reject application/* with 406
			clauses = append(clauses, runtime.ContentTypeJSON)
		}
	}
	return strings.Join(clauses, ","), len(clauses) > 0
}

// PrefersTable reports whether the first clause of an Accept header that JSON satisfies requests a table.
func PrefersTable(header http.Header) bool {
	accept, _ := AcceptedJSON(header)
	first, _, _ := strings.Cut(accept, ",")
	_, parameters, err := mime.ParseMediaType(first)
	return err == nil && parameters["as"] == "Table"
}

// mediaTypeOf returns the media type of a body, without parameters. The default is JSON.
func mediaTypeOf(header http.Header) string {
	contentType := header.Get("Content-Type")
	if contentType == "" {
		return runtime.ContentTypeJSON
	}
	mediaType, _, err := mime.ParseMediaType(contentType)
	if err != nil {
		return contentType
	}
	return mediaType
}

// isJSON reports whether a response has a Content-Type, and it is JSON.
func isJSON(resp *http.Response) bool {
	return resp.Header.Get("Content-Type") != "" && mediaTypeOf(resp.Header) == runtime.ContentTypeJSON
}
