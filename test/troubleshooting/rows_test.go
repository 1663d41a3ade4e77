//go:build e2e

package troubleshooting

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/claimbridge/claimbridge/test/testkit/must"
	"github.com/claimbridge/claimbridge/test/troubleshooting/quotes"
)

// elsewhere are tests that make a text of the page and compare it with that, by the part of it that
// names the quote: a file, and a row of its table.
var elsewhere = map[string]struct{ file, row string }{
	"the body of the request was in an unknown format": {words, "a strategic merge patch"},
	"the object provided is unrecognized (must be of type ResourceClaim)": {
		words, "create without kind and apiVersion",
	},
	"status.allocation: Invalid value: field is immutable": {
		typed,
		"status.allocation: Invalid value: field is immutable",
	},
	"Error: ErrImagePull":     {pulls, "Error: ErrImagePull"},
	"Error: ImagePullBackOff": {pulls, "Error: ImagePullBackOff"},
}

const (
	words = "../cluster/testdata/http.yaml"
	typed = "../cluster/typed_1_28_test.go"
	pulls = "../node/webhook/pulls_test.go"
)

// left are texts that no test produces, and why.
var left = map[string]string{
	"failed to list *v1beta1.ResourceClaim":        "by informers of client-go, test/bridge has one",
	"Invalid value for `spec`, must not be `None`": "by the client for Python, see docs/python.md",
}

var shown = regexp.MustCompile(`(?m)^shows '([^']+)' `)

// A test must produce each text of the page, and each row must have a text on the page.
func TestEveryQuoteHasARow(t *testing.T) {
	all := onPage(t)
	rows := map[quotes.Quote][]string{}
	row := func(part, where string) {
		t.Helper()
		found, err := quotes.Named(all, part)
		if err != nil {
			t.Errorf("%s: %v", where, err)
			return
		}
		rows[found] = append(rows[found], where)
	}
	scripts, err := filepath.Glob("testdata/*/*.txtar")
	if err != nil || len(scripts) == 0 {
		t.Fatalf("no scripts: %v", err)
	}
	for _, script := range scripts {
		for _, m := range shown.FindAllStringSubmatch(read(t, script), -1) {
			row(m[1], script)
		}
	}
	for part, test := range elsewhere {
		source := read(t, test.file)
		if !strings.Contains(source, test.row) || !strings.Contains(source, "troubleshooting.md") {
			t.Errorf("%s has no row %q any more, which made %q", test.file, test.row, part)
		}
		row(part, test.file)
	}
	for part, why := range left {
		row(part, why)
	}
	for _, q := range all {
		if len(rows[q]) == 0 {
			t.Errorf("no test produces: %s", q)
		}
	}
	t.Logf("%d quotes", len(all))
}

const pageFile = "../../docs/troubleshooting.md"

func onPage(t *testing.T) []quotes.Quote {
	t.Helper()
	return must.Get(quotes.Read(pageFile))(t)
}

func read(t *testing.T, file string) string {
	t.Helper()
	return string(must.Get(os.ReadFile(filepath.FromSlash(file)))(t))
}
