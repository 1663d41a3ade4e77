//go:build e2e

package alerts

import (
	"bytes"
	"fmt"
	"html"
	"math"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/claimbridge/claimbridge/test/testkit/must"
)

// What a picture shows of the time before it.
const (
	span = 150 * time.Second
	step = 3 * time.Second
)

// The picture is no older than the panels. What is in the lines is another day's each time, and nobody compares it.
func TestPicturesHaveEveryPanel(t *testing.T) {
	drawn := must.Get(os.ReadFile(picture))(t)
	if most := 150 << 10; len(drawn) > most {
		t.Errorf("it has %d bytes, more than %d", len(drawn), most)
	}
	for _, p := range readDashboard(t).Panels {
		if !bytes.Contains(drawn, []byte(">"+html.EscapeString(p.Title)+"</text>")) {
			t.Errorf("it has no panel %q: draw it anew with make pictures", p.Title)
		}
	}
}

// Sizes in pixels: of the grid that panels lie on, of the room between them, and within one around its lines.
const (
	cellWidth, cellHeight, gap = 54, 36, 4
	edge, header, axis         = 66, 34, 20
	legendRow                  = 15
)

// draw the dashboard by what its own queries answer.
func (p prometheus) draw(t *testing.T, board dashboard) {
	t.Helper()
	bottom := 0
	for _, p := range board.Panels {
		bottom = max(bottom, p.GridPos.Y+p.GridPos.H)
	}
	const heading = 40
	width, height := 24*cellWidth+2*gap, bottom*cellHeight+heading+gap
	var b bytes.Buffer
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" width="%d" height="%d" font-family="system-ui, sans-serif" font-size="12" fill="#24292f">
<style>path { fill: none; stroke-width: 1.6 } .p { fill: #ffffff; stroke: #d0d7de } .g { stroke: #eaeef2 } .n { fill: #57606a; font-size: 11px } .e { text-anchor: end } .t { font-weight: 600; font-size: 13px }</style>
<rect width="%d" height="%d" fill="#f6f8fa"/>
<text x="12" y="27" font-size="18" font-weight="600">%s</text>
`, width, height, width, height, width, height, html.EscapeString(board.Title))
	for _, panel := range board.Panels {
		box := box{panel.GridPos.X*cellWidth + gap, panel.GridPos.Y*cellHeight + heading, panel.GridPos.W*cellWidth - gap, panel.GridPos.H*cellHeight - gap}
		if panel.Type == "row" {
			box.text(&b, "t", 8, 22, panel.Title)
			continue
		}
		fmt.Fprintf(&b, `<rect class="p" x="%d" y="%d" width="%d" height="%d" rx="4"/>`+"\n", box.x, box.y, box.w, box.h)
		box.text(&b, "t", 10, 20, panel.Title)
		var lines []drawn
		for _, target := range panel.Targets {
			for _, r := range p.over(t, query(target.Expr), span, step) {
				lines = append(lines, newDrawn(legend(target.LegendFormat, r.Metric), r.Values))
			}
		}
		if panel.Type == "stat" {
			box.stat(&b, lines, panel)
			continue
		}
		box.graph(&b, lines, panel)
	}
	b.WriteString("</svg>\n")
	must.Do(t, os.WriteFile(picture, b.Bytes(), 0o644))
	t.Logf("%s: %d bytes", picture, b.Len())
}

var placeholder = regexp.MustCompile(`{{\s*(\w+)\s*}}`)

// legend of a series, in the format of its panel.
func legend(format string, labels map[string]string) string {
	return strings.TrimSpace(placeholder.ReplaceAllStringFunc(format, func(name string) string {
		return labels[placeholder.FindStringSubmatch(name)[1]]
	}))
}

// drawn is a line, and what the legend says of it.
type drawn struct {
	name       string
	samples    []point
	last, most float64
	least      float64
}

func newDrawn(name string, samples []point) drawn {
	d := drawn{name: name, samples: samples, last: math.NaN(), most: math.Inf(-1), least: math.Inf(1)}
	for _, s := range samples {
		if !math.IsNaN(s.number) {
			d.last, d.most, d.least = s.number, max(d.most, s.number), min(d.least, s.number)
		}
	}
	return d
}
