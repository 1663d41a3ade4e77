//go:build e2e

package terminal

import (
	"bytes"
	"encoding/xml"
	"errors"
	"flag"
	"fmt"
	"html"
	"io"
	"os"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/claimbridge/claimbridge/test/testkit/must"
)

var update = flag.Bool("update", false, "draw the picture again")

// TestPicture checks that the text in the picture is the current output of the commands.
func TestPicture(t *testing.T) {
	const pictureFile = "../../docs/images/terminal.svg"
	lines := session(t)
	if *update {
		must.Do(t, os.WriteFile(pictureFile, renderSVG(lines), 0o644))
	}
	picture := must.Get(os.ReadFile(pictureFile))(t)
	var want []string
	for _, l := range lines {
		if l != nil {
			want = append(want, l.String())
		}
	}
	if diff := cmp.Diff(want, textElements(t, picture)); diff != "" {
		t.Errorf("%s differs from the terminal, run make pictures (-terminal +picture):\n%s", pictureFile, diff)
	}
	if limit := 40 << 10; len(picture) > limit {
		t.Errorf("%s: got %d bytes, want at most %d so that the page loads fast", pictureFile, len(picture), limit)
	}
}

// Sizes in pixels. Most monospace fonts of this size have this column width; textLength adjusts the others.
const (
	fontSize       = 13.0
	columnWidth    = 7.8
	lineHeight     = 19.0
	margin         = 16.0
	titleBarHeight = 34.0
)

// renderSVG draws a dark window with a border, which is visible on dark and on light pages.
func renderSVG(lines []line) []byte {
	width := columns*columnWidth + 2*margin
	height := titleBarHeight + float64(len(lines))*lineHeight + margin
	var b bytes.Buffer
	fmt.Fprintf(&b,
		`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %.0f %.0f" width="%.0f" height="%.0f" role="img" aria-label="claimbridge in a terminal">
<style>
text { font: %.0fpx ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace; fill: #d0d7de; white-space: pre }
.prompt { fill: #8b949e } .typed { fill: #ffffff; font-weight: 600 } .bold { font-weight: 600 } .red { fill: #ff9492 } .green { fill: #4ae168 } .cyan { fill: #76e3ea }
</style>
<rect x=".5" y=".5" width="%.0f" height="%.0f" rx="9" fill="#161b22" stroke="#57606a"/>
<g fill="#57606a"><circle cx="20" cy="17" r="5.5"/><circle cx="38" cy="17" r="5.5"/><circle cx="56" cy="17" r="5.5"/></g>
`, width, height, width, height, fontSize, width-1, height-1)
	for i, l := range lines {
		if l == nil {
			continue
		}
		fmt.Fprintf(&b, `<text xml:space="preserve" x="%.0f" y="%.0f" textLength="%.1f">`, margin,
			titleBarHeight+float64(i)*lineHeight+fontSize, columnWidth*float64(utf8.RuneCountInString(l.String())))
		for _, p := range l {
			if p.style == plain {
				b.WriteString(html.EscapeString(p.text))
				continue
			}
			fmt.Fprintf(&b, `<tspan class="%s">%s</tspan>`, p.style, html.EscapeString(p.text))
		}
		b.WriteString("</text>\n")
	}
	b.WriteString("</svg>\n")
	return b.Bytes()
}

// textElements returns the texts of the <text> elements of an SVG, which are lines of the terminal.
func textElements(t *testing.T, picture []byte) (lines []string) {
	t.Helper()
	decoder := xml.NewDecoder(bytes.NewReader(picture))
	var text strings.Builder
	inText := false
	for {
		token, err := decoder.Token()
		if errors.Is(err, io.EOF) {
			return lines
		}
		if err != nil {
			t.Fatal(err)
		}
		switch token := token.(type) {
		case xml.StartElement:
			inText = inText || token.Name.Local == "text"
		case xml.CharData:
			if inText {
				text.Write(token)
			}
		case xml.EndElement:
			if token.Name.Local == "text" {
				lines = append(lines, text.String())
				text.Reset()
				inText = false
			}
		}
	}
}
