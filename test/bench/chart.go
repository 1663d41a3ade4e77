package main

import (
	"fmt"
	"html"
	"math"
	"slices"
	"strings"
)

// chart with a logarithmic axis upwards, drawn as SVG. Text is dark on white, so that it reads on any page.
type chart struct {
	title, x, y string
	// ticks of the axis to the right, at places of the points.
	ticks  []tick
	series []series
	// show a value of the axis upwards.
	show func(float64) string
}

type tick struct {
	at    float64
	label string
}

// series is a line through points, whose x is a place on the axis and whose y is a value.
type series struct {
	name, color string
	dashed      bool
	points      [][2]float64
	// marked points, for few of them.
	marked bool
}

// Size of a chart, and of the room around its lines, in pixels.
const (
	width, height                = 760, 420
	left, right, upper, lowerEnd = 76, 24, 56, 56
)

func (c chart) svg() string {
	least, most := math.Inf(1), math.Inf(-1)
	for _, s := range c.series {
		for _, p := range s.points {
			least, most = min(least, p[1]), max(most, p[1])
		}
	}
	if math.IsInf(least, 1) || least <= 0 {
		least, most = 1, 10
	}
	low, high := math.Log10(least)-0.08, math.Log10(most)+0.08
	first, last := c.ticks[0].at, c.ticks[len(c.ticks)-1].at
	atX := func(x float64) float64 { return left + (x-first)/(last-first)*(width-left-right) }
	atY := func(y float64) float64 {
		return height - lowerEnd - (math.Log10(y)-low)/(high-low)*(height-upper-lowerEnd)
	}

	var b strings.Builder
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" width="%d" height="%d" font-family="system-ui, sans-serif" font-size="13" fill="#24292f">`+"\n",
		width, height, width, height)
	fmt.Fprintf(&b, `<rect width="%d" height="%d" fill="#ffffff"/>`+"\n", width, height)
	text := func(x, y float64, attributes, s string) {
		fmt.Fprintf(&b, `<text x="%.1f" y="%.1f" %s>%s</text>`+"\n", x, y, attributes, html.EscapeString(s))
	}
	line := func(x1, y1, x2, y2 float64, color string) {
		fmt.Fprintf(&b, `<line x1="%.1f" y1="%.1f" x2="%.1f" y2="%.1f" stroke="%s"/>`+"\n", x1, y1, x2, y2, color)
	}
	text(left, 24, `font-size="15" font-weight="600"`, c.title)
	for _, t := range c.ticks {
		line(atX(t.at), upper, atX(t.at), height-lowerEnd, "#e4e7eb")
		text(atX(t.at), height-lowerEnd+18, `text-anchor="middle"`, t.label)
	}
	for _, value := range logTicks(low, high) {
		line(left, atY(value), width-right, atY(value), "#e4e7eb")
		text(left-8, atY(value)+4, `text-anchor="end"`, c.show(value))
	}
	line(left, height-lowerEnd, width-right, height-lowerEnd, "#57606a")
	line(left, upper, left, height-lowerEnd, "#57606a")
	text(width-right, height-14, `text-anchor="end"`, c.x)
	text(left, upper-10, ``, c.y)
	for _, s := range c.series {
		c.draw(&b, s, atX, atY)
	}
	c.legend(&b, text)
	b.WriteString("</svg>\n")
	return b.String()
}

func (chart) draw(b *strings.Builder, s series, atX, atY func(float64) float64) {
	var path []string
	for _, p := range s.points {
		path = append(path, fmt.Sprintf("%.1f,%.1f", atX(p[0]), atY(p[1])))
	}
	dashes := ""
	if s.dashed {
		dashes = ` stroke-dasharray="6 5"`
	}
	fmt.Fprintf(b, `<polyline points="%s" fill="none" stroke="%s" stroke-width="2.2" stroke-linejoin="round"%s/>`+"\n", strings.Join(path, " "), s.color, dashes)
	if s.marked {
		for _, p := range s.points {
			fmt.Fprintf(b, `<circle cx="%.1f" cy="%.1f" r="3.2" fill="%s"/>`+"\n", atX(p[0]), atY(p[1]), s.color)
		}
	}
}

// legend in one line above the lines, at the right.
func (c chart) legend(b *strings.Builder, text func(x, y float64, attributes, s string)) {
	x := float64(width - right)
	for _, s := range slices.Backward(c.series) {
		x -= 7.2 * float64(len([]rune(s.name)))
		text(x, upper-10, "", s.name)
		dashes := ""
		if s.dashed {
			dashes = ` stroke-dasharray="6 4"`
		}
		fmt.Fprintf(b, `<line x1="%.1f" y1="%d" x2="%.1f" y2="%d" stroke="%s" stroke-width="3"%s/>`+"\n", x-28, upper-14, x-6, upper-14, s.color, dashes)
		x -= 44
	}
}

// logTicks between two powers of ten: the powers, and between them 2 and 5 where there is room.
func logTicks(low, high float64) (ticks []float64) {
	steps := []float64{1, 2, 5}
	if high-low > 2.5 {
		steps = steps[:1]
	}
	for power := math.Floor(low); power <= high; power++ {
		for _, step := range steps {
			if value := step * math.Pow(10, power); math.Log10(value) >= low && math.Log10(value) <= high {
				ticks = append(ticks, value)
			}
		}
	}
	return ticks
}
