package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/claimbridge/claimbridge/conversion"
)

// objects that are converted between each two versions, by their part of a measurement's name.
var objects = []struct{ what, name string }{
	{"claim", "/kind=claim/leftovers=false"}, {"claim, leftovers", "/kind=claim/leftovers=true"},
	{"template", "/kind=template/leftovers=false"}, {"template, leftovers", "/kind=template/leftovers=true"},
}

func pairName(p pair, object string) string {
	return fmt.Sprintf("Pair/server=claimbridge/from=%s/to=%s%s", p.from, p.to, object)
}

// pairs of versions, each with each other.
func pairs(versions []string) (all []pair) {
	for _, from := range versions {
		for _, to := range versions {
			if from != to {
				all = append(all, pair{from, to})
			}
		}
	}
	return all
}

// pairRows are the slowest pair of all and then each pair with the object that is slowest, with the best of all as yardstick.
func (r *results) pairRows() (rows []row) {
	best, most, slowest, least := "", 0.0, row{}, 0.0
	for _, p := range pairs(conversion.Versions()) {
		w, slow := row{}, 0.0
		for _, o := range objects {
			median, _, ok := r.median(pairName(p, o.name), mbPerCPUSecond)
			if !ok {
				continue
			}
			if median > most {
				best, most = pairName(p, o.name), median
			}
			if w.ours == "" || median < slow {
				w = row{what: fmt.Sprintf("%s (%s)", p, o.what), ours: pairName(p, o.name), unit: mbPerCPUSecond, show: mbps, more: true, goal: "not below 0.33"}
				slow = median
			}
		}
		if w.ours == "" {
			continue
		}
		if slowest.ours == "" || slow < least {
			slowest, least = w, slow
		}
		rows = append(rows, w)
	}
	if len(rows) == 0 {
		return nil
	}
	slowest.what = "the slowest: " + slowest.what
	rows = slices.Insert(rows, 0, slowest)
	for i := range rows {
		rows[i].yardstick = best
	}
	return rows
}

// currentPairRows are pairs of v1, with the best pair of the first three versions as yardstick, with a claim of the same kind.
func (r *results) currentPairRows() (rows []row) {
	for _, p := range currentPairs {
		for _, o := range objects[:2] {
			w := row{what: fmt.Sprintf("%s, %s", p, o.what), ours: pairName(p, o.name), unit: mbPerCPUSecond, show: mbps, more: true}
			if strings.Contains(p.String(), "v1beta") {
				w.goal = "not below 1.00"
			}
			most := 0.0
			for _, old := range pairs([]string{"v1alpha1", "v1alpha2", "v1alpha3"}) {
				if median, _, ok := r.median(pairName(old, o.name), mbPerCPUSecond); ok && median > most {
					w.yardstick, most = pairName(old, o.name), median
				}
			}
			rows = append(rows, w)
		}
	}
	return rows
}

// currentCallRows are calls between v1beta1 and v1.
func currentCallRows() (rows []row) {
	for _, c := range allCells() {
		if c.kib == 2 {
			rows = append(rows, row{what: cellTitle(c), yardstick: currentCallName(null, c), ours: currentCallName(claimbridge, c), unit: cpuPerOp, show: micros,
				goal: "at most 1.5 of null"})
		}
	}
	return rows
}

// currentHandlerRows are handlers of pairs of v1.
func currentHandlerRows() (rows []row) {
	for _, p := range currentPairs {
		rows = append(rows, handlerRow(p.name(), p.String(), allocsPerOp, number, ""))
	}
	for _, p := range currentPairs {
		rows = append(rows, handlerRow(p.name(), p.String(), cpuPerOp, micros, ""))
	}
	return rows
}

// servedRows are what served versions cost, with v1 alone as yardstick.
func (r *results) servedRows() (rows []row) {
	for _, m := range []struct {
		what, unit string
		show       func(float64) string
	}{
		{"until the watch caches are warm", nsPerOp, millis},
		{"the API server's processor time in it", apiServerCPU, millis},
		{"the webhook's processor time in it, per claim", webhookPerObject, micros},
		{"the API server's live heap after it", liveHeap, mib},
		{"writes in v1, until all caches have them", writesPer, perSec},
	} {
		for _, serving := range []struct {
			count int
			what  string
		}{{3, "three versions (v1beta1 to v1)"}, {6, "all six"}} {
			rows = append(rows, row{what: m.what + ", " + serving.what, yardstick: servedName(1), ours: servedName(serving.count), unit: m.unit, show: m.show, more: m.unit == writesPer})
		}
	}
	return rows
}
