package main

import (
	"path"
	"regexp"
	"slices"
)

// relativeLink of Markdown, to a file of the repository: neither one to another place, nor one within the page.
var relativeLink = regexp.MustCompile(`\]\(([^()\s:#][^()\s:]*)\)`)

// withLinks is the text of a page at the root of the repository: links to its files lead to where
// the version has them, as the page is read where they are not.
func (r *release) withLinks(page []byte) []byte {
	return relativeLink.ReplaceAllFunc(page, func(link []byte) []byte {
		file := string(relativeLink.FindSubmatch(link)[1])
		kind := "/blob/"
		if slices.Contains([]string{".svg", ".png"}, path.Ext(file)) {
			kind = "/raw/" // a picture, and not a page that shows it
		}
		return []byte("](" + repository + kind + r.version + "/" + file + ")")
	})
}
