package main

import (
	"encoding/csv"
	"errors"
	"io"
	"regexp"
	"strconv"
)

// claimbridge is the name of the program in most rows.
const claimbridge = "claimbridge"

// results has the medians of measurements.
type results map[key]float64

type key struct{ benchmark, unit, program string }

// coresSuffix is the value of GOMAXPROCS at the end of a benchmark's name.
var coresSuffix = regexp.MustCompile(`-\d+$`)

// readResults reads the tables of benchstat. Each begins with a line of programs and a line of units, which both have
// an empty first cell, and has a line for each benchmark.
func readResults(in io.Reader) (results, error) {
	r := results{}
	lines := csv.NewReader(in)
	lines.FieldsPerRecord = -1
	var programs, units []string
	for {
		line, err := lines.Read()
		if errors.Is(err, io.EOF) {
			return r, nil
		}
		if err != nil {
			return nil, err
		}
		if line[0] == "" {
			programs = units
			units = line
			continue
		}
		benchmark := coresSuffix.ReplaceAllString(line[0], "")
		program := ""
		for i := 1; i < min(len(line), len(units)); i++ {
			if i < len(programs) && programs[i] != "" { // only the first column of a program has its name
				program = programs[i]
			}
			if median, err := strconv.ParseFloat(line[i], 64); err == nil && units[i] != "CI" {
				r[key{benchmark, units[i], program}] = median
			}
		}
	}
}
