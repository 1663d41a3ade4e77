package main

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/google/licenseclassifier/v2/assets"
)

// linked is a module of which packages are in the program.
type linked struct {
	path, version string
	licenses      []string // SPDX identifiers, sorted
}

// permissive licenses ask for their text and for naming the authors, and for nothing more.
var permissive = []string{"Apache-2.0", "BSD-2-Clause", "BSD-3-Clause", "ISC", "MIT"}

// named as licenses are, and what Apache-2.0 asks to be passed on.
var (
	licenseName = regexp.MustCompile(`(?i)^(un)?(licen[cs]e|copying)([-._].*)?$`)
	noticeName  = regexp.MustCompile(`(?i)^(notice|patents)([-._].*)?$`)
)

// licenses of all modules whose packages are in the program of a platform, and their texts. They
// are looked for in the folder of each package and in those above it, up to the module's: some have
// packages of others in them, with licenses of their own. A module without one, or with one that is
// not permissive, is refused.
func (r *release) licenses(ctx context.Context, platform string) (modules []linked, texts []entry, err error) {
	const format = `{{if .Standard}}std {{.Root}} {{.Root}}{{else if not ` +
		`.Module.Main}}{{.Module.Path}}@{{.Module.Version}} {{.Module.Dir}} {{.Dir}}{{end}}`
	list, err := r.packages(ctx, platform, format)
	if err != nil {
		return nil, nil, err
	}
	found := map[string]map[string]string{} // by module: files by their path in it
	for lines := bufio.NewScanner(bytes.NewReader(list)); lines.Scan(); {
		fields := strings.Fields(lines.Text())
		if len(fields) != 3 {
			continue
		}
		if found[fields[0]] == nil {
			found[fields[0]] = map[string]string{}
		}
		if err := lookFrom(fields[2], fields[1], found[fields[0]]); err != nil {
			return nil, nil, err
		}
	}
	var problems []error
	for _, module := range slices.Sorted(maps.Keys(found)) {
		name, version, _ := strings.Cut(module, "@")
		m := linked{path: name, version: cmp.Or(version, strings.TrimPrefix(r.source.compiler, "go"))}
		for _, file := range slices.Sorted(maps.Keys(found[module])) {
			text, err := os.ReadFile(found[module][file])
			if err != nil {
				return nil, nil, err
			}
			texts = append(texts, entry{Name: path.Join("licenses", name, file), Mode: 0o644, Content: text})
			if !licenseName.MatchString(path.Base(file)) {
				continue
			}
			ids, err := classify(text)
			if err != nil {
				problems = append(problems, fmt.Errorf("%s: %s: %w", module, file, err))
			}
			m.licenses = append(m.licenses, ids...)
		}
		if len(m.licenses) == 0 {
			problems = append(problems, fmt.Errorf("%s has no license", module))
		}
		slices.Sort(m.licenses)
		m.licenses = slices.Compact(m.licenses)
		modules = append(modules, m)
	}
	return modules, texts, errors.Join(problems...)
}

// lookFrom a folder up to that of its module, for texts that have to go with it.
func lookFrom(folder, module string, into map[string]string) error {
	for ; ; folder = filepath.Dir(folder) {
		files, err := os.ReadDir(folder)
		if err != nil {
			return err
		}
		for _, file := range files {
			name := file.Name()
			if file.Type().IsRegular() && filepath.Ext(name) != ".go" && (licenseName.MatchString(name) ||
				noticeName.MatchString(name)) {
				at := filepath.Join(folder, name)
				relative, err := filepath.Rel(module, at)
				if err != nil {
					return err
				}
				into[filepath.ToSlash(relative)] = at
			}
		}
		if folder == module || len(folder) < len(module) {
			return nil
		}
	}
}

var classifier = sync.OnceValues(assets.DefaultClassifier)

// classified texts: a quarter of a second each, and most modules have one that others have.
var classified = map[string][]string{}

// classify the text of a license.
func classify(text []byte) (ids []string, err error) {
	if ids := classified[string(text)]; ids != nil {
		return ids, nil
	}
	c, err := classifier()
	if err != nil {
		return nil, err
	}
	for _, match := range c.Match(text).Matches {
		if match.MatchType != "License" {
			continue
		}
		if !slices.Contains(permissive, match.Name) {
			return nil, fmt.Errorf("%s is none of %s", match.Name, strings.Join(permissive, ", "))
		}
		ids = append(ids, match.Name)
	}
	if len(ids) == 0 {
		return nil, errors.New("its text is none that is known")
	}
	classified[string(text)] = ids
	return ids, nil
}
