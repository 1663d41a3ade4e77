// Command table reads the output of benchstat as CSV with a column for each program, and prints one table with the
// results of claimbridge and its peers. A ratio is claimbridge's time or memory divided by that of the peer. Missed
// goals are marked. Its argument is the pattern of the benchmarks that were run: a row without a result is an error.
package main

import (
	"cmp"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

func main() {
	m, err := read(os.Stdin)
	if err == nil {
		err = m.lacks(os.Args[1:])
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "table:", err)
		os.Exit(1) //nolint:forbidigo // a separate program
	}
	fmt.Print(m.table(), m.matrix("Conversion of 2 KiB: time, and ratio to `json.Valid`", pairs),
		m.matrix("Validation: ratio to the time of Kubernetes' own code", validations))
}

// measured are medians.
type measured map[key]float64

type key struct{ name, unit, by string }

// ours is who is measured beside others.
const ours = "claimbridge"

var cores = regexp.MustCompile(`-\d+$`)

// read the tables of benchstat: a line of whom, one of units, and one for each benchmark.
func read(in io.Reader) (measured, error) {
	m := measured{}
	lines := csv.NewReader(in)
	lines.FieldsPerRecord = -1
	var by, units []string // the last two lines without a benchmark
	for {
		line, err := lines.Read()
		if errors.Is(err, io.EOF) {
			return m, nil
		}
		if err != nil {
			return nil, err
		}
		if line[0] == "" {
			by, units = units, line
			continue
		}
		whom := ""
		for i := 1; i < min(len(line), len(units)); i++ {
			if i < len(by) && by[i] != "" {
				whom = by[i]
			}
			if median, err := strconv.ParseFloat(line[i], 64); err == nil && units[i] != "CI" {
				m[key{cores.ReplaceAllString(line[0], ""), units[i], whom}] = median
			}
		}
	}
}

// lacks says which row was not measured, of those whose benchmark the pattern names. Patterns of
// parts of a benchmark ask for some rows only.
func (m measured) lacks(patterns []string) error {
	if len(m) == 0 {
		return errors.New("no measurement")
	}
	for _, pattern := range patterns {
		asked, err := regexp.Compile(pattern)
		if err != nil || strings.Contains(pattern, "/") {
			return err
		}
		for _, r := range slices.Concat(rows, pairs.cells(), validations.cells()) {
			benchmark, _, _ := strings.Cut(r.name, "/")
			for _, by := range append([]peer{{by: r.by}}, r.beside...) {
				if _, ok := m[key{r.name, r.unit, cmp.Or(by.by, r.by, ours)}]; !ok && asked.MatchString(benchmark) {
					return fmt.Errorf("%s: %s of %s was not measured", r.what, r.unit, cmp.Or(by.by, r.by, ours))
				}
			}
		}
	}
	return nil
}

// table of the rows that were measured.
func (m measured) table() string {
	var b strings.Builder
	b.WriteString("| what | claimbridge | other program | ratio | goal |\n|---|--:|--:|--:|---|\n")
	empty := b.Len()
	for _, r := range rows {
		got, ok := m[key{r.name, r.unit, cmp.Or(r.by, ours)}]
		if !ok {
			continue
		}
		for _, p := range append(r.beside, peer{by: "other"}) {
			theirs, ok := m[key{r.name, r.unit, p.by}]
			line := []string{
				r.what, show(got, r.unit), p.by + " " + show(theirs, r.unit),
				fmt.Sprintf("%.2f", got/theirs), p.goal(got, theirs, r.unit),
			}
			switch {
			case p.by == alone:
				line[2], line[3] = "", ""
			case !ok:
				continue
			}
			r.what = "" // said once
			fmt.Fprintf(&b, "| %s |\n", strings.Join(line, " | "))
		}
	}
	if b.Len() == empty {
		return ""
	}
	return b.String()
}

// goal of a comparison, with a mark when it is missed.
func (p peer) goal(got, theirs float64, unit string) (text string) {
	switch {
	case p.atMost == 0 && p.plus == 0:
		return ""
	case p.by == alone:
		text = show(p.plus, unit)
	case p.plus > 0:
		text = "+" + show(p.plus, unit)
	default:
		text = fmt.Sprintf("%.2f", p.atMost)
	}
	if got > p.atMost*theirs+p.plus {
		text += " **missed**"
	}
	return text
}

// grid has a cell for each two things that are measured together.
type grid struct {
	rows, columns []string
	name          string // of the benchmark, with both
	unit, peer    string
	times         bool // are shown beside ratios
}

// cells that are to be measured: no version is converted to itself.
func (g grid) cells() (cells []row) {
	for _, r := range g.rows {
		for _, c := range slices.DeleteFunc(slices.Clone(g.columns), func(c string) bool { return c == r }) {
			name := strings.NewReplacer("ROW", r, "COLUMN", c).Replace(g.name)
			cells = append(cells, row{what: name, name: name, unit: g.unit, beside: []peer{{by: g.peer}}})
		}
	}
	return cells
}

func (m measured) matrix(title string, g grid) string {
	var b strings.Builder
	fmt.Fprintf(&b, "\n| %s | %s |\n|---|%s\n", title, strings.Join(g.columns, " | "),
		strings.Repeat("--:|", len(g.columns)))
	empty := true
	for _, row := range g.rows {
		cells := []string{row}
		for _, column := range g.columns {
			name := strings.NewReplacer("ROW", row, "COLUMN", column).Replace(g.name)
			got, ok := m[key{name, g.unit, ours}]
			theirs, beside := m[key{name, g.unit, g.peer}]
			cell := ""
			if ok && g.times {
				cell = show(got, g.unit) + " "
			}
			if ok && beside {
				cell += fmt.Sprintf("%.2f", got/theirs)
				empty = false
			}
			cells = append(cells, cell)
		}
		fmt.Fprintf(&b, "| %s |\n", strings.Join(cells, " | "))
	}
	if empty {
		return ""
	}
	return b.String()
}

// show a value with its unit.
func show(v float64, unit string) string {
	switch {
	case strings.HasSuffix(unit, "B"):
		return fmt.Sprintf("%.1f MiB", v/(1<<20))
	case v >= 1:
		return fmt.Sprintf("%.1f s", v)
	case v >= 1e-3:
		return fmt.Sprintf("%.1f ms", v*1e3)
	}
	return fmt.Sprintf("%.1f µs", v*1e6)
}
