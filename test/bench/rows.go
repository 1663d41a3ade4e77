package main

import (
	"fmt"
	"slices"
)

// tableSection is a part of the table with its own yardstick.
type tableSection struct {
	title, yardstick string
	rows             []row
	// difference has what claimbridge takes more than the yardstick in the place of the stock server.
	difference bool
}

func (r *results) tableSections() []tableSection {
	return append(r.webhookSections(), r.bridgeSections()...)
}

func (r *results) webhookSections() []tableSection {
	return []tableSection{
		{title: "One claim a call: the server's processor time", yardstick: "null webhook", rows: r.callRows(cpuPerOp, 256, func(c cell) string {
			if c.kib == 2 {
				return "at most 1.5 of null, 4 better than stock"
			}
			return ""
		})},
		{title: "One claim a call, v1beta1 and v1: the server's processor time", yardstick: "null webhook", rows: currentCallRows()},
		{title: "One claim a call: half of the calls take no longer", yardstick: "null webhook", rows: r.callRows(p50PerOp, 2, nil)},
		{title: "One claim a call: 99 of 100 take no longer", yardstick: "null webhook", rows: r.callRows(p99PerOp, 2, func(cell) string { return "below stock's half" })},
		{title: "The answer to an API server", yardstick: "whole metadata", rows: []row{
			answerRow(2, answerSize, bytesOf, "its size"), answerRow(16, answerSize, bytesOf, "its size"),
			answerRow(2, cpuPerOp, micros, "processor time"), answerRow(16, cpuPerOp, micros, "processor time"),
		}},
		{title: "In process, without network and TLS", yardstick: "-", rows: []row{
			handlerRow("up", "a write ("+write.String()+")", allocsPerOp, number, "a tenth of stock's"),
			handlerRow("down", "a read ("+read.String()+")", allocsPerOp, number, "a tenth of stock's"),
			handlerRow("up", "a write ("+write.String()+")", cpuPerOp, micros, ""),
			handlerRow("down", "a read ("+read.String()+")", cpuPerOp, micros, ""),
		}},
		{title: "In process, to v1 and from it", yardstick: "-", rows: currentHandlerRows()},
		{title: "Reviews of many claims of 2 KiB, by the clock", yardstick: "null webhook", rows: r.reviewRows()},
		{title: "Reviews of many claims of 2 KiB, one core, by processor time", yardstick: valid, rows: r.validRows()},
		{title: "Memory", yardstick: "null webhook", rows: []row{
			memoryRow("idle", "idle", residentBytes, "below 40 MiB"),
			memoryRow("the most during a review of as many claims", "burst", peakBytes, "a third of stock's"),
			memoryRow("when left alone after it", "rested", residentBytes, "as idle"),
		}},
		{title: "Under load for a while", yardstick: "first quarter", rows: []row{{
			what: "most memory in the last quarter", yardstick: "Soak/server=claimbridge/quarter=1", ours: "Soak/server=claimbridge/quarter=4",
			unit: peakBytes, show: mib, goal: "no growth",
		}}},
		{title: "64 reviews of 3 MiB at once, GOMEMLIMIT=64MiB", yardstick: "-", rows: []row{
			limitedRow("served at once", "at-once", number, ""), limitedRow("served after being asked to come again", "served", number, "64 in all"),
			limitedRow("told to come again (429 with Retry-After)", "shed", number, ""), limitedRow("failed", "failed", number, "0"),
			limitedRow("the most memory", peakBytes, mib, "never killed"),
		}},
		{title: "Start and size", yardstick: "null webhook", rows: []row{
			{what: "exec until ready", yardstick: "Start/server=null", ours: "Start/server=claimbridge", stock: "Start/server=stock", unit: readyNs, show: millis, goal: "below 200 ms"},
			{what: "program", yardstick: "Binary/server=null", ours: "Binary/server=claimbridge", stock: "Binary/server=stock", unit: sizeB, show: mib},
		}},
		{title: "claimbridge convert, JSON", yardstick: valid, rows: []row{
			fileRow("by processor time", jsonDump, "1", mbPerCPUSecond, r.largestReview(valid), r.largestReview(stock), "15 times stock, not below json.Valid"),
			fileRow("by the clock, one core", jsonDump, "1", mbPerSecond, r.largestReview(valid), r.largestReview(stock), ""),
			fileRow("by the clock, all cores", jsonDump, "all", mbPerSecond, r.largestReview(valid), r.largestReview(stock), "faster than on one"),
			{what: "the most memory", ours: fileName(jsonDump, claimbridge, "all"), unit: peakBytes, show: mib, goal: "below 200 MiB at 1 GiB"},
		}},
		{title: "claimbridge convert, YAML", yardstick: yamlParse, rows: []row{
			fileRow("by processor time", yamlDump, "1", mbPerCPUSecond, fileName(yamlDump, yamlParse, "1"), "", ""),
			fileRow("by the clock, all cores", yamlDump, "all", mbPerSecond, fileName(yamlDump, yamlParse, "1"), "", ""),
			{what: "the most memory", ours: fileName(yamlDump, claimbridge, "all"), unit: peakBytes, show: mib},
		}},
		{title: "Files in a folder, changed in place, one core", yardstick: "parsing twice", rows: folderRows(parsed)},
		{title: "Files in a folder, changed in place, one core", yardstick: "kyaml", rows: folderRows(kyaml)},
		{title: "Conversion alone of 2 KiB, the slowest object of each pair, by processor time", yardstick: "best of all", rows: r.pairRows()},
		{title: "Conversion alone of a claim of 2 KiB, to v1 and from it, by processor time", yardstick: "best of v1alpha1 to v1alpha3", rows: r.currentPairRows()},
		{title: "Through a kube-apiserver", yardstick: "null webhook", rows: r.clusterRows()},
		{title: "Served versions, in a kube-apiserver", yardstick: "v1 alone", rows: r.servedRows()},
	}
}

// callRows is a row for each cell of claims up to a size.
func (r *results) callRows(unit string, kib int, goal func(cell) string) (rows []row) {
	for _, c := range allCells() {
		if c.kib > kib {
			continue
		}
		w := row{what: cellTitle(c),
			yardstick: callName(null, c), ours: callName(claimbridge, c), stock: callName(stock, c), unit: unit, show: micros}
		if goal != nil {
			w.goal = goal(c)
		}
		rows = append(rows, w)
	}
	return rows
}

func answerRow(kib int, unit string, show func(float64) string, what string) row {
	return row{what: fmt.Sprintf("%s, %d KiB", what, kib), yardstick: fmt.Sprintf("Answer/metadata=whole/claim=%dKiB", kib),
		ours: fmt.Sprintf("Answer/metadata=trimmed/claim=%dKiB", kib), unit: unit, show: show}
}

func handlerRow(review, what, unit string, show func(float64) string, goal string) row {
	measured := map[string]string{allocsPerOp: "allocations", cpuPerOp: "processor time"}[unit]
	return row{what: measured + ", " + what, ours: "Handler/server=claimbridge/review=" + review, stock: "Handler/server=stock/review=" + review,
		unit: unit, show: show, goal: goal}
}

// counts of claims in reviews that were measured.
func (r *results) counts() (counts []int) {
	for _, c := range plans["full"].counts {
		if len(r.all(reviewName(claimbridge, "1", c), nsPerOp)) > 0 {
			counts = append(counts, c)
		}
	}
	return counts
}

// largestReview by a party on one core.
func (r *results) largestReview(party string) string {
	counts := r.counts()
	if len(counts) == 0 {
		return ""
	}
	return reviewName(party, "1", slices.Max(counts))
}

func (r *results) reviewRows() (rows []row) {
	for _, count := range r.counts() {
		for _, cores := range []string{"1", "all"} {
			rows = append(rows, row{what: fmt.Sprintf("%d, cores: %s", count, cores), yardstick: reviewName(null, cores, count),
				ours: reviewName(claimbridge, cores, count), stock: reviewName(stock, cores, count), unit: mbPerSecond, show: mbps, more: true})
		}
	}
	return rows
}

func (r *results) validRows() (rows []row) {
	for _, count := range r.counts() {
		if count < 1000 {
			continue
		}
		rows = append(rows, row{what: fmt.Sprint(count), yardstick: reviewName(valid, "1", count),
			ours: reviewName(claimbridge, "1", count), stock: reviewName(stock, "1", count), unit: cpuPerOp, show: millis, goal: "not more than json.Valid, 15 better than stock"})
	}
	return rows
}

func memoryRow(what, when, unit, goal string) row {
	return row{what: what, yardstick: memoryName(null, when), ours: memoryName(claimbridge, when), stock: memoryName(stock, when), unit: unit, show: mib, goal: goal}
}

func limitedRow(what, unit string, show func(float64) string, goal string) row {
	return row{what: what, ours: "Limited/server=claimbridge", unit: unit, show: show, goal: goal}
}

func fileRow(what, format, cores, unit, yardstick, stock, goal string) row {
	return row{what: what, yardstick: yardstick, ours: fileName(format, claimbridge, cores), stock: stock, unit: unit, show: mbps, more: true, goal: goal}
}

// clusterRows are what goes through an API server.
func (r *results) clusterRows() (rows []row) {
	for _, m := range []struct {
		what, name, unit string
		show             func(float64) string
		more             bool
	}{
		{"the watch caches of two older versions are built, per claim", "rebuild", perObject, micros, false},
		{"the webhook's processor time in it, per claim", "rebuild", webhookPerObject, micros, false},
		{"writes in the stored version, until all caches have them", "writes", writesPer, perSec, true},
		{"writes in v1alpha2, until all caches have them", "old-writes", writesPer, perSec, true},
	} {
		for _, party := range []struct{ name, label string }{{claimbridge, ""}, {wholeMetadata, ", with --keep-metadata"}, {none, ", no conversion (strategy None)"}} {
			rows = append(rows, row{what: m.what + party.label, yardstick: clusterName(m.name, null), ours: clusterName(m.name, party.name),
				stock: clusterName(m.name, stock), unit: m.unit, show: m.show, more: m.more})
		}
	}
	return rows
}

func cellTitle(c cell) string {
	return fmt.Sprintf("%d KiB, %s, %s", c.kib, protocols[c.proto], plural(c.callers, "caller"))
}

var protocols = map[string]string{http1: "HTTP/1.1", http2: "HTTP/2"}

func plural(n int, what string) string {
	if n == 1 {
		return fmt.Sprintf("1 %s", what)
	}
	return fmt.Sprintf("%d %ss", n, what)
}
