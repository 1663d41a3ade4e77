package main

import (
	"bufio"
	"bytes"
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// loader finds types: those of package conversion, which is in this folder, from its source without the file that is
// to be written, and all others from what the compiler exports.
func loader(output string) (func(path, name string) (*types.Named, error), error) {
	exports, err := exportData()
	if err != nil {
		return nil, err
	}
	files := token.NewFileSet()
	imports := importer.ForCompiler(files, "gc", func(path string) (io.ReadCloser, error) { return os.Open(exports[path]) })
	sources, err := filepath.Glob("*.go")
	if err != nil {
		return nil, err
	}
	var parsed []*ast.File
	for _, source := range sources {
		if source == output || strings.HasSuffix(source, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(files, source, nil, parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		parsed = append(parsed, file)
	}
	// Functions of the file that is to be written are missing; the types are all there.
	config := types.Config{Importer: imports, Error: func(error) {}, IgnoreFuncBodies: true}
	own, _ := config.Check(conversion, files, parsed, nil)
	return func(path, name string) (*types.Named, error) {
		in := own
		if path != conversion {
			if in, err = imports.Import(path); err != nil {
				return nil, err
			}
		}
		if found := in.Scope().Lookup(name); found != nil {
			if t, ok := found.Type().(*types.Named); ok {
				return t, nil
			}
		}
		return nil, fmt.Errorf("no type %s in %s", name, path)
	}, nil
}

// exportData finds the compiler's export data of all that this folder's package imports.
func exportData() (map[string]string, error) {
	imports, err := exec.Command("go", "list", "-f", `{{join .Imports "\n"}}`, ".").Output()
	if err != nil {
		return nil, fmt.Errorf("go list: %w", err)
	}
	args := append([]string{"list", "-export", "-deps", "-f", "{{.ImportPath}} {{.Export}}"}, strings.Fields(string(imports))...)
	list, err := exec.Command("go", args...).Output()
	if err != nil {
		return nil, fmt.Errorf("go list -export: %w", err)
	}
	exports := map[string]string{}
	for lines := bufio.NewScanner(bytes.NewReader(list)); lines.Scan(); {
		if path, file, ok := strings.Cut(lines.Text(), " "); ok {
			exports[path] = file
		}
	}
	return exports, nil
}
