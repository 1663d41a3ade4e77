// Command sarifvalidator validates a SARIF report on standard input against the JSON schema in a file.
package main

import (
	"errors"
	"fmt"
	"io"
	"os"

	// Its source code contains the JSON schema of SARIF 2.1.0 that OASIS publishes.
	_ "github.com/owenrumney/go-sarif/v3/pkg/report/v210/sarif"
	"github.com/santhosh-tekuri/jsonschema/v6"
)

func main() {
	if err := run(os.Args[1:], os.Stdin); err != nil {
		fmt.Fprintln(os.Stderr, "error:", err)
		os.Exit(1)
	}
}

func run(args []string, stdin io.Reader) error {
	if len(args) != 1 {
		return errors.New("usage: sarifvalidator SCHEMA <REPORT")
	}
	compiler := jsonschema.NewCompiler()
	compiler.AssertFormat()
	schema, err := compiler.Compile(args[0])
	if err != nil {
		return err
	}
	report, err := jsonschema.UnmarshalJSON(stdin)
	if err != nil {
		return err
	}
	return schema.Validate(report)
}
