// Command readers reads a report on standard input as others do: `readers sarif SCHEMA` holds it
// against a JSON schema. It ends with 1 and says why when that does not hold.
package main

import (
	"errors"
	"fmt"
	"io"
	"os"

	// whose source has the schema of SARIF 2.1.0 as OASIS published it
	_ "github.com/owenrumney/go-sarif/v3/pkg/report/v210/sarif"
	"github.com/santhosh-tekuri/jsonschema/v6"
)

func main() {
	if err := read(os.Args[1:], os.Stdin); err != nil {
		fmt.Fprintln(os.Stderr, "error:", err)
		os.Exit(1)
	}
}

func read(args []string, report io.Reader) error {
	if len(args) != 2 || args[0] != "sarif" {
		return errors.New("usage: readers sarif SCHEMA")
	}
	compiler := jsonschema.NewCompiler()
	compiler.AssertFormat()
	schema, err := compiler.Compile(args[1])
	if err != nil {
		return err
	}
	value, err := jsonschema.UnmarshalJSON(report)
	if err != nil {
		return err
	}
	return schema.Validate(value)
}
