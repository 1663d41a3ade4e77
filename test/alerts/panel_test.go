//go:build e2e

package alerts

import (
	"bytes"
	"cmp"
	"fmt"
	"html"
	"math"
	"slices"
	"strconv"
	"testing"
	"time"
)

// box of a panel in the picture.
type box struct{ x, y, w, h int }

func (p box) text(b *bytes.Buffer, class string, x, y int, text string) {
	fmt.Fprintf(b, `<text class="%s" x="%d" y="%d">%s</text>`+"\n", class, p.x+x, p.y+y, html.EscapeString(text))
}

// stat is the last number of each series, or its name.
func (p box) stat(b *bytes.Buffer, lines []drawn, of panel) {
	for i, d := range lines {
		text, under := withUnit(d.last, of.FieldConfig.Defaults.Unit), d.name
		if of.Options.TextMode == "name" {
			text, under = d.name, ""
		}
		at := p.h/2 + 50*i - 25*(len(lines)-1)
		fmt.Fprintf(b, `<text x="%d" y="%d" text-anchor="middle" font-size="24" fill="#1a7f37">%s</text>`+"\n", p.x+p.w/2, p.y+at, html.EscapeString(text))
		fmt.Fprintf(b, `<text class="n" x="%d" y="%d" text-anchor="middle">%s</text>`+"\n", p.x+p.w/2, p.y+at+18, html.EscapeString(under))
	}
}

var colours = []string{"#1f77b4", "#d1700f", "#2b8a3e", "#c92a2a", "#7048a8", "#8c5a4b", "#c2559d", "#66707a", "#8f8f1c", "#1598a8"}

// graph of all series, with as many of them in its legend as there is room for, the greatest first.
func (p box) graph(b *bytes.Buffer, lines []drawn, of panel) {
	slices.SortStableFunc(lines, func(x, y drawn) int { return cmp.Or(cmp.Compare(y.most, x.most), cmp.Compare(x.name, y.name)) })
	least, most := 0.0, 0.0
	var first, last float64
	for _, d := range lines {
		least, most = min(least, d.least), max(most, d.most)
		if n := len(d.samples); n > 0 {
			last = max(last, d.samples[n-1].at)
		}
	}
	first = last - span.Seconds()
	step := tick((most - least) / 4)
	if of.FieldConfig.Defaults.Unit == "bytes" {
		step = tick((most-least)/4/(1<<20)) * (1 << 20)
	}
	least, most = math.Floor(least/step)*step, max(math.Ceil(most/step)*step, step)
	rows := min(len(lines), max(2, (p.h-150)/legendRow))
	left, right, top, bottom := p.x+edge, p.x+p.w-10, p.y+header, p.y+p.h-axis-legendRow*(rows+1)-4
	atX := func(at float64) int { return left + int(math.Round((at-first)/span.Seconds()*float64(right-left))) }
	atY := func(v float64) int { return bottom - int(math.Round((v-least)/(most-least)*float64(bottom-top))) }
	for value := least; value <= most+step/2; value += step {
		fmt.Fprintf(b, `<path class="g" d="M%d %dH%d"/><text class="n e" x="%d" y="%d">%s</text>`+"\n", left, atY(value), right, left-5, atY(value)+4, withUnit(value, of.FieldConfig.Defaults.Unit))
	}
	for ago := span.Truncate(time.Minute); ago >= 0; ago -= time.Minute {
		text := "now"
		if ago > 0 {
			text = fmt.Sprintf("-%d min", int(ago.Minutes()))
		}
		fmt.Fprintf(b, `<text class="n e" x="%d" y="%d">%s</text>`+"\n", atX(last-ago.Seconds())+2, bottom+15, text)
	}
	p.row(b, bottom+axis+10, "", "", "last", "max")
	for i, d := range lines {
		colour := colours[i%len(colours)]
		fmt.Fprintf(b, `<path stroke="%s" d="%s"/>`+"\n", colour, path(d.samples, atX, atY))
		if i >= rows || i == rows-1 && len(lines) > rows {
			continue
		}
		p.row(b, bottom+axis+10+legendRow*(i+1), colour, d.name, withUnit(d.last, of.FieldConfig.Defaults.Unit), withUnit(d.most, of.FieldConfig.Defaults.Unit))
	}
	if len(lines) > rows {
		p.row(b, bottom+axis+10+legendRow*rows, "", fmt.Sprintf("and %d more", len(lines)-rows+1), "", "")
	}
}

// row of a legend.
func (p box) row(b *bytes.Buffer, y int, colour, name, last, most string) {
	if colour != "" {
		fmt.Fprintf(b, `<path stroke="%s" stroke-width="3" d="M%d %dh12"/>`, colour, p.x+10, y-4)
	}
	if room := (p.w - 190) / 6; len([]rune(name)) > room {
		name = string([]rune(name)[:room-1]) + "…"
	}
	for _, cell := range []struct {
		class, text string
		x           int
	}{{"n", name, p.x + 28}, {"n e", last, p.x + p.w - 88}, {"n e", most, p.x + p.w - 10}} {
		if cell.text != "" {
			fmt.Fprintf(b, `<text class="%s" x="%d" y="%d">%s</text>`, cell.class, cell.x, y, html.EscapeString(cell.text))
		}
	}
	b.WriteByte('\n')
}

// path through points. A gap, where there is no number for longer than two steps, is one in the line; what lies on a level goes without saying.
func path(samples []point, atX, atY func(float64) int) string {
	var d []byte
	before := math.Inf(-1)
	for i, s := range samples {
		if math.IsNaN(s.number) || math.IsInf(s.number, 0) {
			continue
		}
		command := byte('L')
		if s.at-before > 2*step.Seconds() {
			command = 'M'
		}
		y := atY(s.number)
		before = s.at
		if command == 'L' && i+1 < len(samples) && atY(samples[i-1].number) == y && atY(samples[i+1].number) == y && samples[i+1].at-s.at <= step.Seconds() {
			continue
		}
		d = fmt.Appendf(d, "%c%d %d", command, atX(s.at), y)
	}
	if bytes.Count(d, []byte("L")) == 0 { // a point of which nothing would be seen
		d = append(d, "h2"...)
	}
	return string(d)
}

// tick of an axis: 1, 2 or 5 times a power of ten that is at least as much.
func tick(least float64) float64 {
	if least <= 0 {
		return 1
	}
	power := math.Pow(10, math.Floor(math.Log10(least)))
	for _, times := range []float64{1, 2, 5} {
		if times*power >= least*0.999 {
			return times * power
		}
	}
	return 10 * power
}

// withUnit is a number with a unit of Grafana.
func withUnit(v float64, name string) string {
	short := func(v float64) string { return strconv.FormatFloat(v, 'g', 3, 64) }
	switch {
	case math.IsNaN(v) || math.IsInf(v, 0):
		return "-"
	case v == 0:
		return "0"
	case name == "percentunit":
		return short(v*100) + " %"
	case name == "bytes" && math.Abs(v) >= 1<<20:
		return short(v/(1<<20)) + " MiB"
	case name == "bytes":
		return short(v) + " B"
	case name == "s" && math.Abs(v) >= 86400:
		return short(v/86400) + " days"
	case name == "s" && math.Abs(v) >= 1:
		return short(v) + " s"
	case name == "s":
		return short(v*1000) + " ms"
	case name == "reqps":
		return short(v) + " req/s"
	case name == "ops":
		return short(v) + " ops/s"
	}
	return short(v)
}

func TestUnits(t *testing.T) {
	for want, v := range map[string]struct {
		number float64
		unit   string
	}{
		"12.5 %": {0.125, "percentunit"}, "64 MiB": {64 << 20, "bytes"}, "512 B": {512, "bytes"}, "3 ms": {0.003, "s"}, "90 days": {90 * 86400, "s"}, "0": {0, "s"},
		"1.5 req/s": {1.5, "reqps"}, "2 ops/s": {2, "ops"}, "-": {math.NaN(), "short"}, "7": {7, "short"},
	} {
		if got := withUnit(v.number, v.unit); got != want {
			t.Errorf("%v %s: got %s, want %s", v.number, v.unit, got, want)
		}
	}
}
