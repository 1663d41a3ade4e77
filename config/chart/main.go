// Command chart writes the templates of the Helm chart in config/charts/claimbridge from what package config gives, so that both install the same
// objects.
//
// It asks package config for the manifests of one choice after the other, and turns what differs into conditions of a template, and the names that
// it gave into values. Nothing of an object is written here. What helm does not know of itself, the chart's name, values, schema and notes, is
// written by hand beside the templates.
package main

import (
	"fmt"
	"os"
	"path/filepath"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: go run ./config/chart FOLDER-OF-THE-CHART")
		os.Exit(2)
	}
	if err := write(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, "error:", err)
		os.Exit(1)
	}
}

const header = "{{- /* Made by go generate ./config from what claimbridge manifests gives. Do not edit: change config/ or config/chart. */ -}}\n"

// write the templates of the chart, a file for each part.
func write(folder string) error {
	files, err := templates()
	if err != nil {
		return err
	}
	below := filepath.Join(folder, "templates")
	if err := os.MkdirAll(below, 0o755); err != nil {
		return err
	}
	for _, f := range files {
		if err := os.WriteFile(filepath.Join(below, f.name+".yaml"), []byte(header+f.text), 0o644); err != nil { //nolint:gosec // a file of the repository, for everybody
			return err
		}
	}
	return nil
}

// file of templates.
type file struct{ name, text string }
