package main

import (
	"fmt"
	"strings"
)

// row of the table: a measurement of up to three parties in one unit.
type row struct {
	what string
	// yardstick, ours and stock name measurements; those that were not made are left out.
	yardstick, ours, stock string
	unit                   string
	show                   func(float64) string
	// more is better; else less is.
	more bool
	goal string
}

// table of all rows for which claimbridge was measured, with medians, their spread, and ratios.
func (r *results) table() string {
	var b strings.Builder
	fmt.Fprintf(&b, "Measured by `make bench` (%s) on %s.\n", r.Mode, r.Machine)
	for _, s := range r.tableSections() {
		lines := r.lines(s)
		if len(lines) == 0 {
			continue
		}
		if s.difference {
			fmt.Fprintf(&b, "\n| %s | %s | claimbridge | difference | of %s | goal |\n|---|--:|--:|--:|--:|---|\n", s.title, s.yardstick, s.yardstick)
		} else {
			fmt.Fprintf(&b, "\n| %s | %s | claimbridge | stock | of %s | better than stock | goal |\n|---|--:|--:|--:|--:|--:|---|\n", s.title, s.yardstick, s.yardstick)
		}
		b.WriteString(strings.Join(lines, "\n") + "\n")
	}
	return b.String()
}

func (r *results) lines(s tableSection) (lines []string) {
	for _, row := range s.rows {
		line, ok := r.line(row)
		if s.difference {
			line, ok = r.lineOfDifference(row)
		}
		if ok {
			lines = append(lines, line)
		}
	}
	return lines
}

// missing are parts of the table that have not one row.
func (r *results) missing() (titles []string) {
	for _, s := range r.tableSections() {
		if len(r.lines(s)) == 0 {
			titles = append(titles, s.title)
		}
	}
	return titles
}

func (r *results) line(w row) (line string, ok bool) {
	ours, _, ok := r.median(w.ours, w.unit)
	if !ok {
		return "", false
	}
	ofYardstick, thanStock := "", ""
	if yardstick, _, ok := r.median(w.yardstick, w.unit); ok && yardstick > 0 {
		ofYardstick = fmt.Sprintf("%.2f", ours/yardstick)
	}
	if stock, _, ok := r.median(w.stock, w.unit); ok && stock > 0 && ours > 0 {
		better := stock / ours
		if w.more {
			better = ours / stock
		}
		thanStock = fmt.Sprintf("%.1f", better)
	}
	return fmt.Sprintf("| %s | %s | %s | %s | %s | %s | %s |", w.what, r.cell(w.yardstick, w), r.cell(w.ours, w), r.cell(w.stock, w),
		ofYardstick, thanStock, w.goal), true
}

// lineOfDifference of a measurement of two parties, both of which were measured.
func (r *results) lineOfDifference(w row) (line string, ok bool) {
	ours, _, measured := r.median(w.ours, w.unit)
	yardstick, _, ok := r.median(w.yardstick, w.unit)
	if !measured || !ok {
		return "", false
	}
	difference := w.show(ours - yardstick)
	if ours > yardstick {
		difference = "+" + difference
	}
	return fmt.Sprintf("| %s | %s | %s | %s | %.2f | %s |", w.what, r.cell(w.yardstick, w), r.cell(w.ours, w), difference, ours/yardstick, w.goal), true
}

// cell is a median, with its spread where there were several rounds.
func (r *results) cell(name string, w row) string {
	median, spread, ok := r.median(name, w.unit)
	switch {
	case !ok:
		return ""
	case spread < 0.005:
		return w.show(median)
	default:
		return fmt.Sprintf("%s ±%.0f%%", w.show(median), 100*spread)
	}
}

// micros, or milliseconds when there are many.
func micros(ns float64) string {
	if ns >= 1e7 {
		return fmt.Sprintf("%.1f ms", ns/1e6)
	}
	return fmt.Sprintf("%.1f µs", ns/1e3)
}

func millis(ns float64) string { return fmt.Sprintf("%.0f ms", ns/1e6) }
func mib(bytes float64) string { return fmt.Sprintf("%.1f MiB", bytes/(1<<20)) }
func bytesOf(n float64) string { return fmt.Sprintf("%.0f B", n) }
func mbps(n float64) string    { return fmt.Sprintf("%.0f MB/s", n) }
func number(n float64) string  { return fmt.Sprintf("%.0f", n) }
func perSec(n float64) string  { return fmt.Sprintf("%.0f /s", n) }
