package main

import (
	"cmp"
	"slices"
	"strings"

	"github.com/claimbridge/claimbridge/internal/conversion"
)

// row of the table: a benchmark in a unit of benchstat, and the comparisons of its result.
type row struct {
	label, benchmark, unit string
	// program is the measured program. If it is empty, it is claimbridge.
	program     string
	comparisons []comparison
}

// measuredProgram returns the program whose results are compared.
func (r row) measuredProgram() string { return cmp.Or(r.program, claimbridge) }

// programs returns the programs that must have a result.
func (r row) programs() []string {
	programs := []string{r.measuredProgram()}
	for _, c := range r.comparisons {
		if c.peer != noPeer {
			programs = append(programs, c.peer)
		}
	}
	return programs
}

// comparison of a result with that of a peer. At most one of the other fields is set: it is the goal.
type comparison struct {
	peer string
	// maxRatio is the limit for the result divided by that of the peer.
	maxRatio float64
	// maxDifference is the limit for the difference to the result of the peer.
	maxDifference float64
	// maxValue is the limit for the result itself.
	maxValue float64
}

// noPeer is for a result that is not compared with a peer.
const noPeer = ""

// Units of benchstat.
const (
	processorTime = "cpu-sec/op"
	median        = "p50-sec/op"
	percentile99  = "p99-sec/op"
)

const smallCall = "Call/versions=v1alpha2-v1alpha3/KiB=2/"

var rows = slices.Concat(programRows, bridgeRows(), apiServerRows())

// bridgeRows compares v1 through a bridge with an API server that serves v1.
func bridgeRows() (rows []row) {
	for _, bridge := range []struct {
		label, program   string
		maxGetDifference float64
	}{
		{"bridge in process", "in-process", 0.1e-3},
		{"claimbridge proxy", "proxy", 0.5e-3},
	} {
		for _, request := range []struct {
			label, what string
			goal        comparison
		}{
			{"get", "get", comparison{maxDifference: bridge.maxGetDifference}},
			{"put", "put", comparison{maxDifference: 0.8e-3}},
			{"a list of 5,000", "list", comparison{maxRatio: 1.3}},
			{"a write until its event", "event", comparison{maxDifference: 0.2e-3}},
		} {
			goal := request.goal
			goal.peer = "in-tree"
			rows = append(rows, row{
				label:       bridge.label + ": " + request.label,
				benchmark:   "Bridge/what=" + request.what,
				unit:        median,
				program:     bridge.program,
				comparisons: []comparison{goal},
			})
		}
	}
	return rows
}

// apiServerRows compares definitions that claimbridge converts with definitions of one version.
func apiServerRows() (rows []row) {
	for _, version := range []string{"v1", "v1beta1", "v1alpha3", "v1alpha1"} {
		for _, request := range []struct{ label, what string }{
			{"list 3,000 claims", "list"}, {"get a claim", "get"}, {"patch a claim", "patch"},
		} {
			rows = append(rows, row{
				label:       "API server, " + version + ": " + request.label,
				benchmark:   "APIServer/what=" + request.what + "/version=" + version,
				unit:        median,
				comparisons: []comparison{{peer: "none"}},
			})
		}
	}
	return rows
}

// programRows compares the server and the command line.
var programRows = []row{
	{
		label:       "a call of 2 KiB, HTTP/1.1, 1 caller: processor time",
		benchmark:   smallCall + "http=1/callers=1",
		unit:        processorTime,
		comparisons: []comparison{{peer: "null"}, {peer: "stock", maxRatio: 0.55}},
	},
	{
		label:       "the same, 8 callers",
		benchmark:   smallCall + "http=1/callers=8",
		unit:        processorTime,
		comparisons: []comparison{{peer: "null"}, {peer: "stock", maxRatio: 0.55}},
	},
	{
		label:       "the same, HTTP/2",
		benchmark:   smallCall + "http=2/callers=8",
		unit:        processorTime,
		comparisons: []comparison{{peer: "null"}, {peer: "stock", maxRatio: 0.55}},
	},
	{
		label:       "the same, HTTP/1.1: 99th percentile",
		benchmark:   smallCall + "http=1/callers=8",
		unit:        percentile99,
		comparisons: []comparison{{peer: "null"}, {peer: "stock"}},
	},
	{
		label:       "16 KiB, HTTP/1.1, 8 callers: processor time",
		benchmark:   "Call/versions=v1alpha2-v1alpha3/KiB=16/http=1/callers=8",
		unit:        processorTime,
		comparisons: []comparison{{peer: "null"}, {peer: "stock", maxRatio: 0.55}},
	},
	{
		label:       "2 KiB, v1beta1 and v1, HTTP/1.1, 8 callers",
		benchmark:   "Call/versions=v1beta1-v1/KiB=2/http=1/callers=8",
		unit:        processorTime,
		comparisons: []comparison{{peer: "null"}},
	},
	{
		label:       "a review of 1,000 claims: processor time",
		benchmark:   "Review/claims=1000",
		unit:        processorTime,
		comparisons: []comparison{{peer: "null"}, {peer: "stock", maxRatio: 1.0 / 6}, {peer: "json.Valid"}},
	},
	{
		label:       "peak memory for a review of 3,000 claims",
		benchmark:   "Memory/claims=3000",
		unit:        "peak-B",
		comparisons: []comparison{{peer: "stock", maxRatio: 1}},
	},
	{
		label:       "memory, idle",
		benchmark:   "Memory/claims=3000",
		unit:        "idle-B",
		comparisons: []comparison{{peer: noPeer, maxValue: 40 << 20}, {peer: "stock"}},
	},
	{
		label:       "exec until ready",
		benchmark:   "Start",
		unit:        "start-sec/op",
		comparisons: []comparison{{peer: noPeer, maxValue: 0.2}, {peer: "stock"}},
	},
	{
		label:       "the program",
		benchmark:   "Start",
		unit:        "program-B",
		comparisons: []comparison{{peer: "stock"}},
	},
	{
		label:       "convert a file of JSON, one core: processor time",
		benchmark:   "File/format=json/cores=1",
		unit:        processorTime,
		comparisons: []comparison{{peer: "json.Valid"}},
	},
	{
		label:       "the same: peak memory",
		benchmark:   "File/format=json/cores=1",
		unit:        "peak-B",
		comparisons: []comparison{{peer: noPeer, maxValue: 200 << 20}},
	},
	{
		label:       "convert a file of YAML, one core: processor time",
		benchmark:   "File/format=yaml/cores=1",
		unit:        processorTime,
		comparisons: []comparison{{peer: "yaml"}},
	},
	{
		label:       "check 10,000 files",
		benchmark:   "Folder/do=check",
		unit:        processorTime,
		comparisons: []comparison{{peer: "yaml", maxRatio: 1}},
	},
	{
		label:       "change 10,000 files",
		benchmark:   "Folder/do=write",
		unit:        processorTime,
		comparisons: []comparison{{peer: noPeer}},
	},
}

// grid has a cell for each combination of a row and a column.
type grid struct {
	rows, columns []string
	// pattern is the name of a benchmark, with ROW and COLUMN in place of their names.
	pattern    string
	unit, peer string
	// showValues is set if cells have values in addition to ratios.
	showValues bool
}

// benchmark returns the name of the benchmark of a cell.
func (g grid) benchmark(row, column string) string {
	return strings.NewReplacer("ROW", row, "COLUMN", column).Replace(g.pattern)
}

// cells returns the cells that must have a result. No version is converted to itself.
func (g grid) cells() (cells []row) {
	for _, r := range g.rows {
		for _, c := range g.columns {
			if r == c {
				continue
			}
			benchmark := g.benchmark(r, c)
			cells = append(cells, row{
				label: benchmark, benchmark: benchmark, unit: g.unit, comparisons: []comparison{{peer: g.peer}},
			})
		}
	}
	return cells
}

// conversionGrid has the time of a conversion for each pair of versions, and its ratio to that of json.Valid.
var conversionGrid = grid{
	rows:       conversion.Versions(),
	columns:    conversion.Versions(),
	pattern:    "Pair/from=ROW/to=COLUMN",
	unit:       processorTime,
	peer:       "json.Valid",
	showValues: true,
}

// validationGrid has the ratio of the time of a validation to that of Kubernetes' own code.
var validationGrid = grid{
	rows:    conversion.Versions(),
	columns: []string{"CREATE", "UPDATE", "UPDATE_STATUS", "rules"},
	pattern: "Validate/version=ROW/do=COLUMN",
	unit:    "sec/op",
	peer:    "upstream",
}
