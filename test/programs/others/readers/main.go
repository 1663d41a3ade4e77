// Command readers reads a report on standard input as others do: `readers sarif SCHEMA` holds it against a JSON schema, and `readers junit`
// counts its cases, with a library that programs for CI use. It ends with 1 and says why when they cannot.
package main

import (
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/joshdk/go-junit"
	_ "github.com/owenrumney/go-sarif/v3/pkg/report/v210/sarif" // whose source has the schema of SARIF 2.1.0 as OASIS published it
	"github.com/santhosh-tekuri/jsonschema/v6"
)

func main() {
	if err := read(os.Args[1:], os.Stdin); err != nil {
		fmt.Fprintln(os.Stderr, "error:", err)
		os.Exit(1)
	}
}

func read(args []string, report io.Reader) error {
	switch {
	case len(args) == 2 && args[0] == "sarif":
		return readSARIF(args[1], report)
	case len(args) == 1 && args[0] == "junit":
		return readJUnit(report)
	}
	return errors.New("usage: readers sarif SCHEMA | readers junit")
}

func readSARIF(file string, report io.Reader) error {
	compiler := jsonschema.NewCompiler()
	compiler.AssertFormat()
	schema, err := compiler.Compile(file)
	if err != nil {
		return err
	}
	value, err := jsonschema.UnmarshalJSON(report)
	if err != nil {
		return err
	}
	return schema.Validate(value)
}

func readJUnit(report io.Reader) error {
	suites, err := junit.IngestReader(report)
	for _, s := range suites {
		fmt.Printf("%s: %d cases, %d failed\n", s.Name, s.Totals.Tests, s.Totals.Failed)
	}
	return err
}
