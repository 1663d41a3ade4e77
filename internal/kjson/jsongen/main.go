// Command jsongen writes the functions that read and write the JSON of types, from the types: for each struct one that reads
// it, one that writes it, and where asked for one that writes it canonically. It writes a file for the
// package in whose folder it is run. Functions of other packages' types are in package codec, those of the package's own
// types beside them. See package kjson for what the functions stand on.
package main

import (
	"flag"
	"fmt"
	"go/format"
	"os"
	"strings"
)

func main() {
	var g generator
	output := flag.String("o", "zz_generated.json.go", "the `file` to write")
	roots := flag.String("roots", "", "`types` that are read and written by themselves; all that they hold follows")
	canonical := flag.String("canonical", "", "`types` that are written canonically as well")
	flag.Usage = func() {
		fmt.Fprintln(flag.CommandLine.Output(), "A list of types is like Name,api/v1alpha1.Name: of this folder's package, or of one of the module's.")
		flag.PrintDefaults()
	}
	flag.Parse()
	if err := g.generate(*output, *roots, *canonical); err != nil {
		panic(err)
	}
}

func (g *generator) generate(output, roots, canonical string) error {
	var err error
	if g.types, err = load(output); err != nil {
		return err
	}
	if err := g.roots.add(g, roots); err != nil {
		return err
	}
	if err := g.canonical.add(g, canonical); err != nil {
		return err
	}
	g.file()
	code, err := format.Source(g.out.Bytes())
	if err != nil {
		return fmt.Errorf("%w in\n%s", err, g.out.Bytes())
	}
	return os.WriteFile(output, code, 0o644)
}

func split(list string) []string {
	return strings.FieldsFunc(list, func(r rune) bool { return r == ',' })
}
