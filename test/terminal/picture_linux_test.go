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

	"github.com/google/go-cmp/cmp"

	"github.com/claimbridge/claimbridge/test/testkit/must"
)

var update = flag.Bool("update", false, "draw the picture again")

// TestPicture checks that the text of the picture equals that of the terminal.
func TestPicture(t *testing.T) {
	const file = "../../docs/images/terminal.svg"
	lines := session(t)
	if *update {
		must.Do(t, os.WriteFile(file, drawn(lines), 0o644))
	}
	picture := must.Get(os.ReadFile(file))(t)
	var want []string
	for _, l := range lines {
		if l != nil {
			want = append(want, l.String())
		}
	}
	if diff := cmp.Diff(want, texts(t, picture)); diff != "" {
		t.Errorf("draw it again with make pictures (-terminal +picture):\n%s", diff)
	}
	if most := 40 << 10; len(picture) > most {
		t.Errorf("the picture has %d bytes, and a page should load at once", len(picture))
	}
}

// Sizes in pixels. A column is as wide as in most fonts of this size; in those where it is not, textLength makes it so.
const (
	size, advance, leading = 13.0, 7.8, 19.0
	margin, bar            = 16.0, 34.0
)

// drawn is a dark window, with a border, which stands out from dark pages and from light ones.
func drawn(lines []line) []byte {
	width, height := columns*advance+2*margin, bar+float64(len(lines))*leading+margin
	var b bytes.Buffer
	fmt.Fprintf(&b,
		`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %.0f %.0f" width="%.0f" height="%.0f" role="img" aria-label="claimbridge in a terminal">
<style>
text { font: %.0fpx ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace; fill: #d0d7de; white-space: pre }
.prompt { fill: #8b949e } .typed { fill: #ffffff; font-weight: 600 } .bold { font-weight: 600 } .red { fill: #ff9492 } .green { fill: #4ae168 } .cyan { fill: #76e3ea }
</style>
<rect x=".5" y=".5" width="%.0f" height="%.0f" rx="9" fill="#161b22" stroke="#57606a"/>
<g fill="#57606a"><circle cx="20" cy="17" r="5.5"/><circle cx="38" cy="17" r="5.5"/><circle cx="56" cy="17" r="5.5"/></g>
`, width, height, width, height, size, width-1, height-1)
	for i, l := range lines {
		if l == nil {
			continue
		}
		fmt.Fprintf(&b, `<text xml:space="preserve" x="%.0f" y="%.0f" textLength="%.1f">`, margin,
			bar+float64(i)*leading+size, advance*float64(len([]rune(l.String()))))
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

// texts of a picture, a line each.
func texts(t *testing.T, picture []byte) (lines []string) {
	t.Helper()
	var text strings.Builder
	inside := false
	for decoder := xml.NewDecoder(bytes.NewReader(picture)); ; {
		token, err := decoder.Token()
		if errors.Is(err, io.EOF) {
			return lines
		}
		if err != nil {
			t.Fatal(err)
		}
		switch token := token.(type) {
		case xml.StartElement:
			inside = inside || token.Name.Local == "text"
		case xml.CharData:
			if inside {
				text.Write(token)
			}
		case xml.EndElement:
			if token.Name.Local == "text" {
				lines, inside = append(lines, text.String()), false
				text.Reset()
			}
		}
	}
}
