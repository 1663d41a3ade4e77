package main

import "fmt"

// bridgeSections are the parts of the table about the bridge.
func (r *results) bridgeSections() []tableSection {
	title := "Bridge, " + bridgedVersion + " over " + servedVersion
	return []tableSection{
		{title: title + ", in process: half of the calls take no longer", yardstick: inTree, rows: r.bridgeRows(inProcess), difference: true},
		{title: title + ", through claimbridge proxy: the same", yardstick: inTree, rows: r.bridgeRows(throughProxy), difference: true},
		{title: "claimbridge proxy: memory", yardstick: "-", rows: r.proxyRows()},
	}
}

func (r *results) bridgeRows(way string) (rows []row) {
	lists := fmt.Sprintf("list of %d claims", r.n(bridgeStored))
	get, put, event := "at most +0.1 ms", "", ""
	if way == throughProxy {
		get, put, event = "at most +0.5 ms", "at most +0.8 ms", "at most +0.2 ms"
	}
	for _, c := range []struct{ name, what, goal string }{
		{bridgeGet, "get", get},
		{bridgePut, "put", put},
		{bridgePatch, "patch of metadata, which is handed on", ""},
		{bridgeCreate, "create, as a dry run", ""},
		{bridgeEvent, "from sending a write to its event", event},
		{bridgeList, lists, "at most 1.30 of in-tree"},
	} {
		rows = append(rows, row{what: c.what, yardstick: bridgeName(c.name, inTree), ours: bridgeName(c.name, way), unit: p50PerOp, show: fineMillis, goal: c.goal})
	}
	return rows
}

func (r *results) proxyRows() (rows []row) {
	watches := fmt.Sprintf("with %d watches", r.n(proxyMemory(proxyWatched)))
	for _, m := range []struct{ what, when, goal string }{{"idle", proxyIdle, "at most 25 MiB"}, {watches, proxyWatched, "at most 60 MiB"}} {
		rows = append(rows,
			row{what: m.what, ours: proxyMemory(m.when), unit: residentBytes, show: mib, goal: m.goal},
			row{what: m.what + ", without pages of files", ours: proxyMemory(m.when), unit: anonymousBytes, show: mib})
	}
	return rows
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
