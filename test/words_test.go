package test

import (
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/claimbridge/claimbridge/test/testkit/must"
)

// unclearPhrase matches phrases that readers had to read twice. Name the actor, the thing, or the relation instead.
var unclearPhrase = regexp.MustCompile(`(?i)\b(whoever|anew|for ever|nobody|somebody|everybody|as it is|of ours|` +
	`of (its|our|their) own|(is|are) told|is there twice|comes? home|homecoming|tak(e|es|en) away|has it so|` +
	`needs? a person|answer key|outgrown)\b`)

// goComment matches a comment, but not a URL in a string.
var goComment = regexp.MustCompile(`(?m)(^|\s)//.*`)

// TestDocsAndCommentsUsePlainWords checks the documentation, the help texts, and comments: those of all packages, and
// those of the tests in bridge, tools and test.
func TestDocsAndCommentsUsePlainWords(t *testing.T) {
	for _, pattern := range []string{
		"../*.md", "../docs/*.md", "../docs/decisions/*.md", "../internal/cli/help/*.txt", "../action.yml",
		"../config/charts/claimbridge/values.yaml", "../config/alerts/*.yaml",
	} {
		for _, file := range must.Get(filepath.Glob(pattern))(t) {
			for _, phrase := range unclearPhrase.FindAllString(read(t, file), -1) {
				t.Errorf("%s: %q is unclear: use plain words", file, phrase)
			}
		}
	}
	for _, pattern := range []string{
		"../api/*.go", "../api/*/*.go", "../certs/*.go", "../cmd/*/*.go", "../config/*.go", "../conversion/*.go",
		"../internal/*/*.go", "../internal/*/*/*.go", "../validation/*.go", "../validation/*/*.go", "../webhook/*.go",
		"../webhook/*/*.go", "../webhook/internal/*/*.go",
	} {
		for _, file := range must.Get(filepath.Glob(pattern))(t) {
			if !strings.HasSuffix(file, "_test.go") {
				checkComments(t, file)
			}
		}
	}
	for _, pattern := range []string{
		"../bridge/*.go", "../bridge/*/*.go", "../bridge/internal/*/*.go", "../tools/*/*.go", "../tools/*/*/*.go",
		"*.go", "*/*.go", "*/*/*.go", "*/*/*/*.go",
	} {
		for _, file := range must.Get(filepath.Glob(pattern))(t) {
			checkComments(t, file)
		}
	}
}

// checkComments checks the comments of a Go file.
func checkComments(t *testing.T, file string) {
	t.Helper()
	for _, comment := range goComment.FindAllString(read(t, file), -1) {
		for _, phrase := range unclearPhrase.FindAllString(comment, -1) {
			t.Errorf("%s: %q in a comment is unclear: use plain words", file, phrase)
		}
	}
}
