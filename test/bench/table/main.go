// Command table reads the output of benchstat as CSV with a column for each program, and prints one table with the
// results of claimbridge and its peers. A ratio is claimbridge's time or memory divided by that of the peer. Missed
// goals are marked. Its arguments are the patterns of the benchmarks that were run: a row of these without a result is
// an error.
package main

import (
	"errors"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
)

func main() {
	r, err := readResults(os.Stdin)
	if err == nil {
		err = r.checkComplete(os.Args[1:])
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "table:", err)
		os.Exit(1) //nolint:forbidigo // a separate program
	}
	fmt.Print(r.table(),
		r.matrix("Conversion of 2 KiB: time, and ratio to `json.Valid`", conversionGrid),
		r.matrix("Validation: ratio to the time of Kubernetes' own code", validationGrid))
}

// checkComplete returns an error if a row has no result and its benchmark matches a pattern. It ignores patterns with a
// slash, because they select only a part of a benchmark.
func (r results) checkComplete(patterns []string) error {
	if len(r) == 0 {
		return errors.New("no results")
	}
	for _, pattern := range patterns {
		if strings.Contains(pattern, "/") {
			continue
		}
		selected, err := regexp.Compile(pattern)
		if err != nil {
			return err
		}
		for _, row := range slices.Concat(rows, conversionGrid.cells(), validationGrid.cells()) {
			benchmark, _, _ := strings.Cut(row.benchmark, "/")
			if !selected.MatchString(benchmark) {
				continue
			}
			for _, program := range row.programs() {
				if _, ok := r[key{row.benchmark, row.unit, program}]; !ok {
					return fmt.Errorf("%s: no result of %s in %s", row.label, program, row.unit)
				}
			}
		}
	}
	return nil
}

// table returns the rows that have results.
func (r results) table() string {
	var b strings.Builder
	for _, row := range rows {
		got, ok := r[key{row.benchmark, row.unit, row.measuredProgram()}]
		if !ok {
			continue
		}
		label := row.label
		for _, c := range append(slices.Clone(row.comparisons), comparison{peer: "other"}) {
			var peer, ratio string
			peerResult, ok := r[key{row.benchmark, row.unit, c.peer}]
			switch {
			case ok:
				peer = c.peer + " " + format(peerResult, row.unit)
				ratio = fmt.Sprintf("%.2f", got/peerResult)
			case c.peer != noPeer:
				continue
			}
			cells := []string{label, format(got, row.unit), peer, ratio, c.goal(got, peerResult, row.unit)}
			fmt.Fprintf(&b, "| %s |\n", strings.Join(cells, " | "))
			label = "" // only the first line of a row has the label
		}
	}
	if b.Len() == 0 {
		return ""
	}
	return "| what | claimbridge | other program | ratio | goal |\n|---|--:|--:|--:|---|\n" + b.String()
}

// goal returns the text of a goal, with a mark if it is missed.
func (c comparison) goal(got, peerResult float64, unit string) string {
	var text string
	var limit float64
	switch {
	case c.maxValue > 0:
		text = format(c.maxValue, unit)
		limit = c.maxValue
	case c.maxDifference > 0:
		text = "+" + format(c.maxDifference, unit)
		limit = peerResult + c.maxDifference
	case c.maxRatio > 0:
		text = fmt.Sprintf("%.2f", c.maxRatio)
		limit = peerResult * c.maxRatio
	default:
		return ""
	}
	if got > limit {
		text += " **missed**"
	}
	return text
}

// matrix returns the table of a grid.
func (r results) matrix(title string, g grid) string {
	var b strings.Builder
	fmt.Fprintf(&b, "\n| %s | %s |\n|---|%s\n", title, strings.Join(g.columns, " | "),
		strings.Repeat("--:|", len(g.columns)))
	hasRatio := false
	for _, row := range g.rows {
		cells := []string{row}
		for _, column := range g.columns {
			benchmark := g.benchmark(row, column)
			got, hasResult := r[key{benchmark, g.unit, claimbridge}]
			peerResult, hasPeerResult := r[key{benchmark, g.unit, g.peer}]
			cell := ""
			if hasResult && g.showValues {
				cell = format(got, g.unit) + " "
			}
			if hasResult && hasPeerResult {
				cell += fmt.Sprintf("%.2f", got/peerResult)
				hasRatio = true
			}
			cells = append(cells, cell)
		}
		fmt.Fprintf(&b, "| %s |\n", strings.Join(cells, " | "))
	}
	if !hasRatio {
		return ""
	}
	return b.String()
}

// format returns a value with its unit: MiB, s, ms or µs.
func format(value float64, unit string) string {
	switch {
	case strings.HasSuffix(unit, "B"):
		return fmt.Sprintf("%.1f MiB", value/(1<<20))
	case value >= 1:
		return fmt.Sprintf("%.1f s", value)
	case value >= 1e-3:
		return fmt.Sprintf("%.1f ms", value*1e3)
	}
	return fmt.Sprintf("%.1f µs", value*1e6)
}
