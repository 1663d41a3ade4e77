package test

import (
	"encoding/json"
	"fmt"
	"go/parser"
	"go/token"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/claimbridge/claimbridge/test/testkit/must"
)

const module = "github.com/claimbridge/claimbridge"

// goPackage has fields of `go list -json` for a package of this module. Imports of tests are not restricted.
type goPackage struct {
	Dir, ImportPath, Name string
	GoFiles               []string
	Imports               []string
	Deps                  []string
}

// folder returns the folder of the package, "." for the root.
func (p goPackage) folder() string {
	return path.Clean(strings.TrimPrefix(strings.TrimPrefix(p.ImportPath, module), "/"))
}

// listPackages returns the packages of this module, with those that go.mod ignores.
func listPackages(t *testing.T) []goPackage {
	t.Helper()
	arguments := []string{"list", "-e", "-json=Dir,ImportPath,Name,GoFiles,Imports,Deps", "./..."}
	list := exec.CommandContext(t.Context(), "go", append(arguments, ignoredFolders(t)...)...)
	list.Dir = ".."
	output, err := list.Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	var packages []goPackage
	for decoder := json.NewDecoder(strings.NewReader(string(output))); decoder.More(); {
		var p goPackage
		must.Do(t, decoder.Decode(&p))
		packages = append(packages, p)
	}
	return packages
}

// within reports whether an import path is a path, or is below it.
func within(importPath, parent string) bool {
	return importPath == parent || strings.HasPrefix(importPath, parent+"/")
}

// withinAny reports whether an import path is within one of several paths.
func withinAny(importPath string, parents []string) bool {
	return slices.ContainsFunc(parents, func(parent string) bool { return within(importPath, parent) })
}

// importPaths returns the import paths of folders.
func importPaths(folders ...string) (paths []string) {
	for _, folder := range folders {
		paths = append(paths, module+"/"+folder)
	}
	return paths
}

// TestImportsFollowTheTable checks the imports of each package, and that each rule has a package.
func TestImportsFollowTheTable(t *testing.T) {
	isUsed := map[string]bool{".": true} // the root has no package
	for _, p := range listPackages(t) {
		rule, ok := ruleFor(p.folder())
		if !ok {
			t.Errorf("%s: no rule says what this package may import; add one to the table in import_rules_test.go", p.folder())
			continue
		}
		isUsed[rule.path] = true
		for _, violation := range rule.violations(p) {
			t.Errorf("%s: %s\n\trule of folder %q: %s", p.folder(), violation, rule.path, rule.why)
		}
	}
	for _, r := range rules {
		if !isUsed[r.path] {
			t.Errorf("the rule of folder %q matches no package: remove it", r.path)
		}
	}
}

// violations returns how a package violates the rule.
func (r rule) violations(p goPackage) (problems []string) {
	for _, imported := range p.Imports {
		switch {
		case within(imported, p.ImportPath):
		case withinAny(imported, r.never):
			problems = append(problems, "imports "+imported+", which is not allowed")
		case r.only != nil && !withinAny(imported, r.only) && !isStandard(imported):
			problems = append(problems,
				"imports "+imported+", but may import only: "+strings.Join(r.only, ", "))
		}
	}
	for _, banned := range r.neverTransitively {
		isBanned := func(dep string) bool { return within(dep, banned) }
		if i := slices.IndexFunc(p.Deps, isBanned); i >= 0 {
			problems = append(problems,
				"depends on "+p.Deps[i]+", directly or indirectly, which is not allowed: see go list -deps")
		}
	}
	for _, imported := range r.oneFile {
		files := filesThatImport(p, imported)
		if len(files) > 1 {
			problems = append(problems,
				fmt.Sprintf("imports %s in %s, but only one file may import it", imported, strings.Join(files, ", ")))
		}
	}
	return problems
}

// isStandard reports whether a package is of the standard library: its path has no domain.
func isStandard(importPath string) bool {
	first, _, _ := strings.Cut(importPath, "/")
	return !strings.Contains(first, ".")
}

// filesThatImport returns the files of a package that import a path, or a package below it.
func filesThatImport(p goPackage, parent string) (files []string) {
	for _, name := range p.GoFiles {
		file, err := parser.ParseFile(token.NewFileSet(), filepath.Join(p.Dir, name), nil, parser.ImportsOnly)
		if err != nil {
			continue // the compiler reports the error
		}
		for _, spec := range file.Imports {
			if imported, err := strconv.Unquote(spec.Path.Value); err == nil && within(imported, parent) {
				files = append(files, name)
				break
			}
		}
	}
	return files
}

// TestPackageNames checks that names of packages say what the packages do.
func TestPackageNames(t *testing.T) {
	meaninglessNames := []string{
		"util", "utils", "common", "commons", "helper", "helpers", "misc", "shared", "base", "lib", "pkg",
	}
	for _, p := range listPackages(t) {
		if slices.Contains(meaninglessNames, p.Name) || slices.Contains(meaninglessNames, path.Base(p.folder())) {
			t.Errorf("%s: the name %q does not say what the package does", p.folder(), p.Name)
		}
	}
}
