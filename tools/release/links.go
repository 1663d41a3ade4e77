package main

import (
	"path"
	"regexp"
	"slices"
)

// relativeLink matches a Markdown link to a file of the repository, but not to another site or within the page.
var relativeLink = regexp.MustCompile(`\]\(([^()\s:#][^()\s:]*)\)`)

// withAbsoluteLinks returns a page in the root of the repository with its relative links replaced by links to the files
// of the version on GitHub, because the page is read outside the repository.
func (r *release) withAbsoluteLinks(page []byte) []byte {
	return relativeLink.ReplaceAllFunc(page, func(link []byte) []byte {
		file := string(relativeLink.FindSubmatch(link)[1])
		kind := "/blob/"
		if slices.Contains([]string{".svg", ".png"}, path.Ext(file)) {
			kind = "/raw/" // the image itself, not the GitHub page that displays it
		}
		return []byte("](" + repository + kind + r.version + "/" + file + ")")
	})
}
