package main

import (
	"fmt"
	"go/types"
	"path/filepath"
	"strings"

	"golang.org/x/tools/go/packages"
)

const module = "github.com/claimbridge/claimbridge"

// loaded are this folder's package, whose generated functions may be missing, and those that it imports.
type loaded struct{ own *packages.Package }

// load reads this folder's package as if the file that is to be written were empty.
func load(output string) (loaded, error) {
	path, err := filepath.Abs(output)
	if err != nil {
		return loaded{}, err
	}
	list, err := packages.Load(&packages.Config{Mode: packages.NeedName | packages.NeedFiles, Dir: "."}, ".")
	if err != nil {
		return loaded{}, err
	}
	config := &packages.Config{
		Mode:    packages.NeedName | packages.NeedTypes | packages.NeedImports | packages.NeedDeps | packages.NeedSyntax,
		Overlay: map[string][]byte{path: []byte("package " + list[0].Name + "\n")},
	}
	if list, err = packages.Load(config, "."); err != nil {
		return loaded{}, err
	}
	return loaded{list[0]}, nil
}

// find a type by its name, which may have a path within the module before it.
func (l loaded) find(name string) (*types.Named, error) {
	in := l.own.Types
	if i := strings.LastIndexByte(name, '.'); i >= 0 {
		imported := l.own.Imports[module+"/"+name[:i]]
		if imported == nil {
			return nil, fmt.Errorf("%s does not import %s", l.own.PkgPath, name[:i])
		}
		in, name = imported.Types, name[i+1:]
	}
	if found := in.Scope().Lookup(name); found != nil {
		if t, ok := types.Unalias(found.Type()).(*types.Named); ok {
			return t, nil
		}
	}
	return nil, fmt.Errorf("no type %s in %s", name, in.Path())
}
