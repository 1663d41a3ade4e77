//go:build e2e

package alerts

import (
	"bytes"
	"cmp"
	"fmt"
	"html"
	"math"
	"os"
	"regexp"
	"slices"
	"strconv"
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

// The picture has all panels. The lines are not compared, because they differ in each run.
func TestPicturesHaveEveryPanel(t *testing.T) {
	drawn := must.Get(os.ReadFile(picture))(t)
	if most := 150 << 10; len(drawn) > most {
		t.Errorf("it has %d bytes, more than %d", len(drawn), most)
	}
	for _, p := range readDashboard(t).Panels {
		if !bytes.Contains(drawn, []byte(">"+html.EscapeString(p.Title)+"</text>")) {
			t.Errorf("it has no panel %q: draw it again with make pictures", p.Title)
		}
	}
}

// Sizes in pixels: of the grid that panels lie on, of the room between them, and of a line of text.
const cellWidth, cellHeight, gap, line = 54, 36, 4, 15

// draw draws the dashboard with the results of its queries.
func (p prometheus) draw(t *testing.T, board dashboard) {
	t.Helper()
	var panels bytes.Buffer
	bottom := 0
	for _, panel := range board.Panels {
		at := panel.GridPos
		bottom = max(bottom, (at.Y+at.H)*cellHeight)
		fmt.Fprintf(&panels, "<g transform=\"translate(%d %d)\">\n", at.X*cellWidth+gap, at.Y*cellHeight)
		width, height := at.W*cellWidth-gap, at.H*cellHeight-gap
		if panel.Type != "row" {
			fmt.Fprintf(&panels, `<rect class="p" width="%d" height="%d" rx="4"/>`+"\n", width, height)
		}
		write(&panels, "t", 10, 20, panel.Title)
		var all []drawn
		for _, target := range panel.Targets {
			for _, r := range p.over(t, query(target.Expr), span, step) {
				all = append(all, newDrawn(target.LegendFormat, r))
			}
		}
		panel.draw(&panels, all, width, height)
		panels.WriteString("</g>\n")
	}
	drawing := fmt.Sprintf(`<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" font-family="system-ui, sans-serif" font-size="11" fill="#57606a">
<style>path { fill: none; stroke-width: 1.6 } .p { fill: #ffffff; stroke: #d0d7de } .e { text-anchor: end } .t { font-weight: 600; font-size: 13px; fill: #24292f }</style>
<rect width="100%%" height="100%%" fill="#f6f8fa"/>
%s</svg>
`, 24*cellWidth+gap, bottom+gap, panels.String())
	must.Do(t, os.WriteFile(picture, []byte(drawing), 0o644))
	t.Logf("%s: %d bytes", picture, len(drawing))
}

func write(b *bytes.Buffer, class string, x, y int, text string) {
	fmt.Fprintf(b, `<text class="%s" x="%d" y="%d">%s</text>`+"\n", class, x, y, html.EscapeString(text))
}

var colors = []string{
	"#1f77b4", "#d1700f", "#2b8a3e", "#c92a2a", "#7048a8", "#8c5a4b", "#c2559d", "#66707a", "#8f8f1c",
	"#1598a8",
}

// draw lines between 0 and the most that there was, the greatest first, and as many of their names
// as there is room for, each with its last number. A panel of single numbers has names alone.
func (p panel) draw(b *bytes.Buffer, all []drawn, width, height int) {
	slices.SortStableFunc(all, func(x, y drawn) int {
		return cmp.Or(cmp.Compare(y.most, x.most), cmp.Compare(x.name, y.name))
	})
	left, top, bottom := 10, 3*line, 3*line
	if p.Type == "timeseries" {
		bottom = height - line*min(len(all), 8) - line
		write(b, "", left, top-3, p.withUnit(all[0].most))
		write(b, "e", width-left, top-3, span.String())
	}
	for i, d := range all {
		color, y := colors[i%len(colors)], bottom+line*(i+1)
		if p.Type == "timeseries" {
			fmt.Fprintf(b, `<path stroke="%s" d="%s"/>`+"\n", color,
				d.path(left, width-left, top, bottom, max(all[0].most, math.SmallestNonzeroFloat32)))
		}
		if y+line > height {
			continue
		}
		fmt.Fprintf(b, `<path stroke="%s" stroke-width="3" d="M%d %dh12"/>`, color, left, y-4)
		name := []rune(d.name)
		write(b, "", left+18, y, string(name[:min(len(name), (width-100)/6)]))
		write(b, "e", width-left, y, p.withUnit(d.last))
	}
}

// drawn is a line, and what is written about it.
type drawn struct {
	name       string
	samples    []point // which are numbers
	last, most float64
}

var placeholder = regexp.MustCompile(`{{\s*(\w+)\s*}}`)

func newDrawn(legend string, of result) (d drawn) {
	d.name = strings.TrimSpace(placeholder.ReplaceAllStringFunc(legend, func(name string) string {
		return of.Metric[placeholder.FindStringSubmatch(name)[1]]
	}))
	for _, s := range of.Values {
		if !math.IsNaN(s.number) && !math.IsInf(s.number, 0) {
			d.samples, d.last, d.most = append(d.samples, s), s.number, max(d.most, s.number)
		}
	}
	return d
}

// path through points. Where there is no number for longer than two steps there is a gap.
func (d drawn) path(left, right, top, bottom int, most float64) string {
	var path []byte
	now, before := float64(time.Now().Unix()), 0.0
	for _, s := range d.samples {
		x := right - int((now-s.at)/span.Seconds()*float64(right-left))
		path = fmt.Appendf(path, "%c%d %d", map[bool]byte{true: 'M', false: 'L'}[s.at-before > 2*step.Seconds()], x,
			bottom-int(s.number/most*float64(bottom-top)))
		before = s.at
	}
	return string(path)
}

// units of Grafana: how many there are to one, and what they are called.
var units = map[string]struct {
	times float64
	name  string
}{
	"percentunit": {100, " %"}, "bytes": {1.0 / (1 << 20), " MiB"}, "s": {1000, " ms"}, "seconds": {1, " s"},
	"days": {1.0 / 86400, " days"}, "reqps": {1, " req/s"}, "ops": {1, " ops/s"}, "short": {1, ""},
}

func (p panel) withUnit(v float64) string {
	unit := p.FieldConfig.Defaults.Unit
	switch {
	case unit == "s" && v >= 86400:
		unit = "days"
	case unit == "s" && v >= 1:
		unit = "seconds"
	}
	return strconv.FormatFloat(v*units[unit].times, 'g', 3, 64) + units[unit].name
}
