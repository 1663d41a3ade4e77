package troubleshooting

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

const pageFile = "../../docs/troubleshooting.md"

// quote of the page: a line that begins with >, or the first column of the table of log lines.
type quote string

var logLine = regexp.MustCompile("(?m)^\\| `([^`]+)` \\|")

func quotes(t *testing.T) (all []quote) {
	t.Helper()
	page, err := os.ReadFile(filepath.FromSlash(pageFile))
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(page)) {
		if text, ok := strings.CutPrefix(strings.TrimSpace(line), "> "); ok {
			all = append(all, quote(text))
		}
	}
	for _, cell := range logLine.FindAllStringSubmatch(string(page), -1) {
		all = append(all, quote(cell[1]))
	}
	return all
}

// named by a part of it that no other quote has, or by all of it.
func named(all []quote, part string) (found []quote) {
	if slices.Contains(all, quote(part)) {
		return []quote{quote(part)}
	}
	for _, q := range all {
		if strings.Contains(string(q), part) {
			found = append(found, q)
		}
	}
	return found
}

// holes of a quote, where it has no more than an example: addresses, ports, times, and the group of the installation.
var holes = []struct{ text, pattern string }{
	{`\.\.\.`, `.*`},
	{`current time T is after T`, `current time \S+ is after \S+`},
	{`10\.96\.0\.10:443`, `\S+:\d+`},
	{`\.svc:443/`, `\.svc:\d+/`},
	{`resource\.k8s\.io`, `(?:resource\.k8s\.io|\w+\.example\.com)`},
	{`claims\.example\.com`, `(?:resource\.k8s\.io|\w+\.example\.com)`},
}

// pattern of what is printed. A quote is a line or a part of one.
func (q quote) pattern() *regexp.Regexp {
	text := regexp.QuoteMeta(string(q))
	for _, h := range holes {
		text = strings.ReplaceAll(text, h.text, h.pattern)
	}
	return regexp.MustCompile(text)
}

func TestHolesOfAQuote(t *testing.T) {
	for name, test := range map[string]struct {
		quote quote
		line  string
		want  bool
	}{
		"the same":                        {"error: (a)", "error: (a)", true},
		"in a longer line":                {"is bad", "error: it is bad indeed", true},
		"another text":                    {"is bad", "error: it is good", false},
		"dots stand for anything":         {"User ... cannot get", `User "a" cannot get`, true},
		"a dot is a dot":                  {"a.b", "a-b", false},
		"dots stand for no line feed":     {"a ... b", "a \n b", false},
		"an address and the port of ours": {"Post https://a.svc:443/convert: dial tcp 10.96.0.10:443", "Post https://a.svc:31/convert: dial tcp 127.0.0.1:31", true},
		"a group is one of a test's":      {"of claims.example.com", "of other.example.com", true},
	} {
		t.Run(name, func(t *testing.T) {
			if got := test.quote.pattern().MatchString(test.line); got != test.want {
				t.Errorf("%v", got)
			}
		})
	}
}
