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

// The graphs show the last graphDuration before the picture is drawn, with a point each graphStep.
const (
	graphDuration = 150 * time.Second
	graphStep     = 3 * time.Second
)

// The picture has all panels. The graphs are not compared, because they differ in each run.
func TestPicturesHaveEveryPanel(t *testing.T) {
	picture := must.Get(os.ReadFile(pictureFile))(t)
	if limit := 150 << 10; len(picture) > limit {
		t.Errorf("%s: got %d bytes, want at most %d", pictureFile, len(picture), limit)
	}
	for _, p := range readDashboard(t).Panels {
		if !bytes.Contains(picture, []byte(">"+html.EscapeString(p.Title)+"</text>")) {
			t.Errorf("%s has no panel %q: draw it again with make pictures", pictureFile, p.Title)
		}
	}
}

// Sizes in pixels: cells of Grafana's grid, the gap between panels, and the height of a line of text.
const cellWidth, cellHeight, gap, lineHeight = 54, 36, 4, 15

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
		writeText(&panels, "t", 10, 20, panel.Title)
		var graphs []graph
		for _, target := range panel.Targets {
			for _, r := range p.queryRange(t, query(target.Expr), graphDuration, graphStep) {
				graphs = append(graphs, newGraph(target.LegendFormat, r))
			}
		}
		panel.draw(&panels, graphs, width, height)
		panels.WriteString("</g>\n")
	}
	drawing := fmt.Sprintf(`<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" font-family="system-ui, sans-serif" font-size="11" fill="#57606a">
<style>path { fill: none; stroke-width: 1.6 } .p { fill: #ffffff; stroke: #d0d7de } .e { text-anchor: end } .t { font-weight: 600; font-size: 13px; fill: #24292f }</style>
<rect width="100%%" height="100%%" fill="#f6f8fa"/>
%s</svg>
`, 24*cellWidth+gap, bottom+gap, panels.String())
	must.Do(t, os.WriteFile(pictureFile, []byte(drawing), 0o644))
	t.Logf("%s: %d bytes", pictureFile, len(drawing))
}

func writeText(b *bytes.Buffer, class string, x, y int, text string) {
	fmt.Fprintf(b, `<text class="%s" x="%d" y="%d">%s</text>`+"\n", class, x, y, html.EscapeString(text))
}

var colors = []string{
	"#1f77b4", "#d1700f", "#2b8a3e", "#c92a2a", "#7048a8", "#8c5a4b", "#c2559d", "#66707a", "#8f8f1c",
	"#1598a8",
}

// draw draws the graphs with a common scale from 0 to their greatest value, the graph with the greatest value first.
// Below them it lists names and last values, as many as fit. Panels of other types list names and values only.
func (p panel) draw(b *bytes.Buffer, graphs []graph, width, height int) {
	slices.SortStableFunc(graphs, func(x, y graph) int {
		return cmp.Or(cmp.Compare(y.maximum, x.maximum), cmp.Compare(x.name, y.name))
	})
	left, top, bottom := 10, 3*lineHeight, 3*lineHeight
	if p.Type == "timeseries" {
		bottom = height - lineHeight*min(len(graphs), 8) - lineHeight
		writeText(b, "", left, top-3, p.withUnit(graphs[0].maximum))
		writeText(b, "e", width-left, top-3, graphDuration.String())
	}
	for i, g := range graphs {
		color, y := colors[i%len(colors)], bottom+lineHeight*(i+1)
		if p.Type == "timeseries" {
			fmt.Fprintf(b, `<path stroke="%s" d="%s"/>`+"\n", color,
				g.path(left, width-left, top, bottom, max(graphs[0].maximum, math.SmallestNonzeroFloat32)))
		}
		if y+lineHeight > height {
			continue
		}
		fmt.Fprintf(b, `<path stroke="%s" stroke-width="3" d="M%d %dh12"/>`, color, left, y-4)
		name := []rune(g.name)
		writeText(b, "", left+18, y, string(name[:min(len(name), (width-100)/6)]))
		writeText(b, "e", width-left, y, p.withUnit(g.lastValue))
	}
}

// graph is a series in a panel, with its name in the legend.
type graph struct {
	name               string
	points             []point // without NaN and infinite values
	lastValue, maximum float64
}

var placeholder = regexp.MustCompile(`{{\s*(\w+)\s*}}`)

func newGraph(legend string, r result) (g graph) {
	g.name = strings.TrimSpace(placeholder.ReplaceAllStringFunc(legend, func(name string) string {
		return r.Metric[placeholder.FindStringSubmatch(name)[1]]
	}))
	for _, p := range r.Values {
		if math.IsNaN(p.value) || math.IsInf(p.value, 0) {
			continue
		}
		g.points = append(g.points, p)
		g.lastValue = p.value
		g.maximum = max(g.maximum, p.value)
	}
	return g
}

// path returns the SVG path through the points. It has a gap where points are more than two steps apart.
func (g graph) path(left, right, top, bottom int, maximum float64) string {
	var path []byte
	now := float64(time.Now().Unix())
	previous := 0.0
	for _, p := range g.points {
		command := 'L'
		if p.timestamp-previous > 2*graphStep.Seconds() {
			command = 'M'
		}
		x := right - int((now-p.timestamp)/graphDuration.Seconds()*float64(right-left))
		y := bottom - int(p.value/maximum*float64(bottom-top))
		path = fmt.Appendf(path, "%c%d %d", command, x, y)
		previous = p.timestamp
	}
	return string(path)
}

// units are Grafana's unit names, with the factor and the suffix that the picture uses. "seconds" and "days" are
// internal names for large values of "s".
var units = map[string]struct {
	factor float64
	suffix string
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
	return strconv.FormatFloat(v*units[unit].factor, 'g', 3, 64) + units[unit].suffix
}
