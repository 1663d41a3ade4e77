package main

import "fmt"

// aggregatedSections are the parts of the table about the aggregated API server.
func (r *results) aggregatedSections() []tableSection {
	title := "Aggregated API server"
	return []tableSection{
		{title: title + ", v1beta1: half of the calls take no longer", yardstick: inTree, rows: r.aggregatedRows(asleep), difference: true},
		{title: title + ", v1beta1: the same while the cores are kept awake", yardstick: inTree, rows: r.aggregatedRows(awake), difference: true},
		{title: title + ", v1beta1: its own processor time for a call", yardstick: "-", rows: r.aggregatedTimes()},
		{title: title + ": the first list of v1beta1, beside that by a conversion webhook for the same two old versions", yardstick: "cold list by webhook", rows: r.coldRows()},
		{title: title + ": memory", yardstick: "-", rows: r.aggregatedMemoryRows()},
	}
}

// coldRows is one row: a list here, where nothing has to be built first, beside the time until an API server that gets v1beta1 and v1beta2 from a
// conversion webhook has their watch caches. It builds those of all versions with the first request for one of them, and lists wait for that.
func (r *results) coldRows() []row {
	all := r.n(aggregatedStored)
	if all != r.n(servedName(3)) {
		return nil // of other claims, or not measured
	}
	return []row{{
		what: fmt.Sprintf("list of %d claims", all), yardstick: servedName(3), ours: aggregatedName(aggregatedList, claimbridge, asleep), unit: nsPerOp, show: millis,
		goal: "at most 0.05: 20 times faster",
	}}
}

// aggregatedCallRow is what a kind of call is called in the table, and its goal.
type aggregatedCallRow struct{ name, what, goal string }

func (r *results) aggregatedCallRows() []aggregatedCallRow {
	all := r.n(aggregatedStored)
	return []aggregatedCallRow{
		{aggregatedGet, "get, the same claim again", "at most +1.5 ms"},
		{aggregatedGetOther, "get, another claim each time", "at most +1.5 ms"},
		{aggregatedPut, "put, the same claim again", "at most +2.5 ms"},
		{aggregatedPutOther, "put, another claim each time", "at most +2.5 ms"},
		{aggregatedPatch, "patch of metadata, which is handed on", ""},
		{aggregatedReshape, "patch that looks at the spec, which is converted", ""},
		{aggregatedCreate, "create", ""},
		{aggregatedEvent, "from sending a write in v1 to its event", "at most +5 ms"},
		{aggregatedList, fmt.Sprintf("list of %d claims", all), "at most 2.00 of in-tree"},
		{aggregatedPacked, fmt.Sprintf("list of %d claims by a client that takes it compressed", all), "at most 2.00 of in-tree"},
	}
}

func (r *results) aggregatedRows(cores string) (rows []row) {
	for _, c := range r.aggregatedCallRows() {
		rows = append(rows, row{what: c.what, yardstick: aggregatedName(c.name, inTree, cores), ours: aggregatedName(c.name, claimbridge, cores), unit: p50PerOp, show: fineMillis, goal: c.goal})
	}
	return rows
}

func (r *results) aggregatedTimes() (rows []row) {
	for _, c := range r.aggregatedCallRows() {
		what := c.what
		if c.name == aggregatedPut || c.name == aggregatedPutOther {
			what += ", after a get of it"
		}
		rows = append(rows, row{what: what, ours: aggregatedName(c.name, claimbridge, asleep), unit: cpuPerOp, show: fineMillis})
	}
	return rows
}

func (r *results) aggregatedMemoryRows() []row {
	own := func(what, when, unit string, show func(float64) string, goal string) row {
		return row{what: what, ours: aggregatedMemory(when), unit: unit, show: show, goal: goal}
	}
	watches := fmt.Sprintf("with %d watches", r.n(aggregatedMemory(aggregatedWatched)))
	lists := fmt.Sprintf("%d lists at once", r.n(aggregatedMemory(aggregatedLists)))
	return []row{
		own("idle", aggregatedIdle, residentBytes, mib, "below 80 MiB"), own("idle, without pages of files", aggregatedIdle, anonymousBytes, mib, ""),
		own(watches, aggregatedWatched, residentBytes, mib, "below 200 MiB"), own(watches+", without pages of files", aggregatedWatched, anonymousBytes, mib, ""),
		own(lists+": the most memory", aggregatedLists, peakBytes, mib, "below 512 MiB, the manifests' limit"),
		own(lists+": each has", aggregatedLists, listBytes, mib, ""),
		own(lists+": served at once", aggregatedLists, "at-once", number, ""),
		own(lists+": served in the end", aggregatedLists, "served", number, "all"),
		own(lists+": answers 429", aggregatedLists, "shed", number, ""),
		own(lists+": of these by claimbridge-apiserver itself", aggregatedLists, "shed-here", number, ""),
		own(lists+": failed", aggregatedLists, "failed", number, "0"),
		own(lists+": until all were served", aggregatedLists, nsPerOp, fineMillis, ""),
	}
}

// n operations of a measurement.
func (r *results) n(name string) int {
	for _, s := range r.Samples {
		if s.Name == name {
			return s.N
		}
	}
	return 0
}

// fineMillis have two digits behind the point, as long as they are few.
func fineMillis(ns float64) string {
	if ns >= 1e8 || ns <= -1e8 {
		return millis(ns)
	}
	return fmt.Sprintf("%.2f ms", ns/1e6)
}
