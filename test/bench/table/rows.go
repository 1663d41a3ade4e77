package main

import (
	"slices"

	"github.com/claimbridge/claimbridge/internal/conversion"
)

// row of the table: a benchmark in a unit of benchstat, and with whom it is compared. It is
// claimbridge's unless it says by what part of it.
type row struct {
	what, name, unit string
	beside           []peer
	by               string
}

// peer, and the goal where there is one: at most this part of its time or memory, and this much more.
type peer struct {
	by           string
	atMost, plus float64
}

// alone is in the place of a peer where the goal is a value.
const alone = ""

const (
	cpu, median, most = "cpu-sec/op", "p50-sec/op", "p99-sec/op"
	alphas            = "Call/versions=v1alpha2-v1alpha3/KiB=2/"
)

var rows = slices.Concat(servers, throughAPIServer())

// throughAPIServer compares definitions that claimbridge converts with definitions of one version.
func throughAPIServer() (rows []row) {
	for _, version := range []string{"v1", "v1beta1", "v1alpha3", "v1alpha1"} {
		for _, do := range []struct{ what, text string }{
			{"list", "list 3,000 claims"}, {"get", "get a claim"}, {"patch", "patch a claim"},
		} {
			rows = append(rows, row{
				what:   "API server, " + version + ": " + do.text,
				name:   "APIServer/what=" + do.what + "/version=" + version,
				unit:   median,
				beside: []peer{{by: "none"}},
			})
		}
	}
	return rows
}

var servers = []row{
	{
		"a call of 2 KiB, HTTP/1.1, 1 caller: processor time",
		alphas + "http=1/callers=1",
		cpu,
		[]peer{{"null", 0, 0}, {"stock", 0.55, 0}},
		"",
	},
	{"the same, 8 callers", alphas + "http=1/callers=8", cpu, []peer{{"null", 0, 0}, {"stock", 0.55, 0}}, ""},
	{"the same, HTTP/2", alphas + "http=2/callers=8", cpu, []peer{{"null", 0, 0}, {"stock", 0.55, 0}}, ""},
	{
		"the same, HTTP/1.1: 99th percentile",
		alphas + "http=1/callers=8",
		most,
		[]peer{{"null", 0, 0}, {"stock", 0, 0}},
		"",
	},
	{
		"16 KiB, HTTP/1.1, 8 callers: processor time",
		"Call/versions=v1alpha2-v1alpha3/KiB=16/http=1/callers=8",
		cpu,
		[]peer{{"null", 0, 0}, {"stock", 0.55, 0}},
		"",
	},
	{
		"2 KiB, v1beta1 and v1, HTTP/1.1, 8 callers",
		"Call/versions=v1beta1-v1/KiB=2/http=1/callers=8",
		cpu,
		[]peer{{"null", 0, 0}},
		"",
	},
	{
		"a review of 1,000 claims: processor time",
		"Review/claims=1000",
		cpu,
		[]peer{{"null", 0, 0}, {"stock", 1. / 6, 0}, {"json.Valid", 0, 0}},
		"",
	},
	{"peak memory for a review of 3,000 claims", "Memory/claims=3000", "peak-B", []peer{{"stock", 1, 0}}, ""},
	{"memory, idle", "Memory/claims=3000", "idle-B", []peer{{alone, 0, 40 << 20}, {"stock", 0, 0}}, ""},
	{"exec until ready", "Start", "start-sec/op", []peer{{alone, 0, 0.2}, {"stock", 0, 0}}, ""},
	{"the program", "Start", "program-B", []peer{{"stock", 0, 0}}, ""},
	{
		"convert a file of JSON, one core: processor time",
		"File/format=json/cores=1",
		cpu,
		[]peer{{"json.Valid", 0, 0}},
		"",
	},
	{"the same: peak memory", "File/format=json/cores=1", "peak-B", []peer{{alone, 0, 200 << 20}}, ""},
	{"convert a file of YAML, one core: processor time", "File/format=yaml/cores=1", cpu, []peer{{"yaml", 0, 0}}, ""},
	{"check 10,000 files", "Folder/do=check", cpu, []peer{{"yaml", 1, 0}}, ""},
	{"change 10,000 files", "Folder/do=write", cpu, []peer{{alone, 0, 0}}, ""},
	{"bridge in process: get", "Bridge/what=get", median, []peer{{"in-tree", 1, 0.1e-3}}, "in-process"},
	{"bridge in process: put", "Bridge/what=put", median, []peer{{"in-tree", 1, 0.8e-3}}, "in-process"},
	{"bridge in process: a list of 5,000", "Bridge/what=list", median, []peer{{"in-tree", 1.3, 0}}, "in-process"},
	{
		"bridge in process: a write until its event",
		"Bridge/what=event",
		median,
		[]peer{{"in-tree", 1, 0.2e-3}},
		"in-process",
	},
	{"claimbridge proxy: get", "Bridge/what=get", median, []peer{{"in-tree", 1, 0.5e-3}}, "proxy"},
	{"claimbridge proxy: put", "Bridge/what=put", median, []peer{{"in-tree", 1, 0.8e-3}}, "proxy"},
	{"claimbridge proxy: a list of 5,000", "Bridge/what=list", median, []peer{{"in-tree", 1.3, 0}}, "proxy"},
	{
		"claimbridge proxy: a write until its event",
		"Bridge/what=event",
		median,
		[]peer{{"in-tree", 1, 0.2e-3}},
		"proxy",
	},
}

// pairs of versions: the time of a conversion, and how often encoding/json's check fits into it.
var pairs = grid{
	rows:    conversion.Versions(),
	columns: conversion.Versions(),
	name:    "Pair/from=ROW/to=COLUMN",
	unit:    cpu,
	peer:    "json.Valid",
	times:   true,
}

// validations: the part of upstream's time.
var validations = grid{
	rows:    conversion.Versions(),
	columns: []string{"CREATE", "UPDATE", "UPDATE_STATUS", "rules"},
	name:    "Validate/version=ROW/do=COLUMN",
	unit:    "sec/op", peer: "upstream",
}
