// Command jsongen writes the readers and writers of the types that a conversion reads and writes: for each struct a function
// that reads its JSON, one that writes it, and where asked for one that compares two. See conversion/reader.go and
// conversion/writer.go for what the functions stand on.
package main

import (
	"fmt"
	"go/format"
	"os"
)

// typesOf a package, by their names.
type typesOf struct {
	path  string
	names []string
}

// roots are types whose values are read and written by themselves; all that they hold follows.
var roots = []typesOf{
	{"github.com/claimbridge/claimbridge/api/v1alpha1", []string{"ResourceClaimSpec", "ResourceClaimStatus"}},
	{"github.com/claimbridge/claimbridge/api/v1alpha2", []string{"ResourceClaimSpec", "ResourceClaimStatus"}},
	{"github.com/claimbridge/claimbridge/api/v1alpha3", []string{"ResourceClaimSpec", "ResourceClaimStatus"}},
	{conversion, []string{
		"annotation", "handlesLeftover", "structuredSpec", "structuredAllocation", "classicSpec", "classicAllocation", "resourceHandle",
	}},
}

// digested are the types whose canonical JSON a conversion makes digests of.
var digested = []typesOf{
	{"github.com/claimbridge/claimbridge/api/v1alpha1", []string{"ResourceClaimSpec", "ResourceClaimStatus"}},
	{"github.com/claimbridge/claimbridge/api/v1alpha2", []string{"ResourceClaimSpec", "ResourceClaimStatus"}},
	{"github.com/claimbridge/claimbridge/api/v1alpha3", []string{"AllocationResult"}},
}

// compared are the types of which a conversion asks whether two are the same.
var compared = []typesOf{
	{"github.com/claimbridge/claimbridge/api/v1alpha2", []string{"ResourceHandle"}},
	{"github.com/claimbridge/claimbridge/api/v1alpha3", []string{"DeviceRequestAllocationResult", "DeviceAllocationConfiguration"}},
	{conversion, []string{"classicSpec", "classicAllocation"}},
}

const conversion = "github.com/claimbridge/claimbridge/conversion"

func main() {
	if len(os.Args) != 2 {
		panic("usage: jsongen FILE, in the folder of package conversion")
	}
	code, err := generate(os.Args[1])
	if err != nil {
		panic(err)
	}
	if err := os.WriteFile(os.Args[1], code, 0o644); err != nil {
		panic(err)
	}
}

func generate(output string) ([]byte, error) {
	load, err := loader(output)
	if err != nil {
		return nil, err
	}
	g := generator{}
	if err := g.roots.load(load, roots); err != nil {
		return nil, err
	}
	if err := g.digested.load(load, digested); err != nil {
		return nil, err
	}
	if err := g.compared.load(load, compared); err != nil {
		return nil, err
	}
	g.file()
	code, err := format.Source(g.out.Bytes())
	if err != nil {
		return nil, fmt.Errorf("%w in\n%s", err, g.out.Bytes())
	}
	return code, nil
}
