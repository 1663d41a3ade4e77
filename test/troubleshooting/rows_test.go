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

// producedElsewhere are other tests that produce a text of the page and compare it with the page, by a part of the
// text: a file, and a row of its table.
var producedElsewhere = map[string]struct{ file, row string }{
	"the body of the request was in an unknown format": {httpTexts, "a strategic merge patch"},
	"the object provided is unrecognized (must be of type ResourceClaim)": {
		httpTexts, "create without kind and apiVersion",
	},
	"status.allocation: Invalid value: field is immutable": {
		typedClient,
		"status.allocation: Invalid value: field is immutable",
	},
	"Error: ErrImagePull":     {imagePulls, "Error: ErrImagePull"},
	"Error: ImagePullBackOff": {imagePulls, "Error: ImagePullBackOff"},
}

const (
	httpTexts   = "../cluster/testdata/http.yaml"
	typedClient = "../cluster/typed_1_28_test.go"
	imagePulls  = "../node/webhook/image_pull_test.go"
)

// notProduced are texts that no test produces, with the reason.
var notProduced = map[string]string{
	"failed to list *v1beta1.ResourceClaim":        "printed by informers of client-go; test/bridge has one",
	"Invalid value for `spec`, must not be `None`": "printed by the client for Python, see docs/python.md",
}

var showsLine = regexp.MustCompile(`(?m)^shows '([^']+)' `)

// TestEveryQuoteHasARow checks that a test produces each text of the page, and that each row has a text on the page.
func TestEveryQuoteHasARow(t *testing.T) {
	all := quotesOfPage(t)
	rows := map[quotes.Quote][]string{}
	row := func(part, where string) {
		t.Helper()
		quote, err := quotes.Find(all, part)
		if err != nil {
			t.Errorf("%s: %v", where, err)
			return
		}
		rows[quote] = append(rows[quote], where)
	}
	scripts, err := filepath.Glob("testdata/*/*.txtar")
	if err != nil || len(scripts) == 0 {
		t.Fatalf("no scripts: %v", err)
	}
	for _, script := range scripts {
		for _, m := range showsLine.FindAllStringSubmatch(read(t, script), -1) {
			row(m[1], script)
		}
	}
	for part, test := range producedElsewhere {
		source := read(t, test.file)
		if !strings.Contains(source, test.row) || !strings.Contains(source, "troubleshooting.md") {
			t.Errorf("%s no longer has the row %q, which produced %q", test.file, test.row, part)
		}
		row(part, test.file)
	}
	for part, reason := range notProduced {
		row(part, reason)
	}
	for _, q := range all {
		if len(rows[q]) == 0 {
			t.Errorf("no test produces: %s", q)
		}
	}
	t.Logf("%d quotes", len(all))
}

const pageFile = "../../docs/troubleshooting.md"

func quotesOfPage(t *testing.T) []quotes.Quote {
	t.Helper()
	return must.Get(quotes.Read(pageFile))(t)
}

func read(t *testing.T, file string) string {
	t.Helper()
	return string(must.Get(os.ReadFile(filepath.FromSlash(file)))(t))
}
