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

// module is a Go module of which a package is linked into the program.
type module struct {
	path, version string
	licenses      []string // SPDX identifiers, sorted
}

// permissive licenses require only that their text and the authors are included.
var permissive = []string{"Apache-2.0", "BSD-2-Clause", "BSD-3-Clause", "ISC", "MIT"}

// Names of files with licenses, and of files that Apache-2.0 requires to be redistributed.
var (
	licenseName = regexp.MustCompile(`(?i)^(un)?(licen[cs]e|copying)([-._].*)?$`)
	noticeName  = regexp.MustCompile(`(?i)^(notice|patents)([-._].*)?$`)
)

// licenses returns the modules that are linked into the program of a platform, with their licenses, and the license
// files. It searches the folder of each package and its parents up to the root of the module, because a module may
// contain packages of other projects with a different license. A module without a license, or with one that is not
// permissive, is an error.
func (r *release) licenses(ctx context.Context, platform string) (modules []module, texts []entry, err error) {
	const format = `{{if .Standard}}std {{.Root}} {{.Root}}{{else if not ` +
		`.Module.Main}}{{.Module.Path}}@{{.Module.Version}} {{.Module.Dir}} {{.Dir}}{{end}}`
	list, err := r.packages(ctx, platform, format)
	if err != nil {
		return nil, nil, err
	}
	found := map[string]map[string]string{} // by module: files by their path in the module
	for lines := bufio.NewScanner(bytes.NewReader(list)); lines.Scan(); {
		fields := strings.Fields(lines.Text())
		if len(fields) != 3 {
			continue
		}
		if found[fields[0]] == nil {
			found[fields[0]] = map[string]string{}
		}
		if err := findLicenses(fields[2], fields[1], found[fields[0]]); err != nil {
			return nil, nil, err
		}
	}
	var problems []error
	for _, id := range slices.Sorted(maps.Keys(found)) {
		name, version, _ := strings.Cut(id, "@")
		m := module{path: name, version: cmp.Or(version, strings.TrimPrefix(r.source.compiler, "go"))}
		hasLicenseFile := false
		for _, file := range slices.Sorted(maps.Keys(found[id])) {
			text, err := os.ReadFile(found[id][file])
			if err != nil {
				return nil, nil, err
			}
			texts = append(texts, entry{Name: path.Join("licenses", name, file), Mode: 0o644, Content: text})
			if !licenseName.MatchString(path.Base(file)) {
				continue
			}
			hasLicenseFile = true
			ids, err := classify(text)
			if err != nil {
				problems = append(problems, fmt.Errorf("%s: %s: %w", id, file, err))
			}
			m.licenses = append(m.licenses, ids...)
		}
		if !hasLicenseFile {
			problems = append(problems, fmt.Errorf("%s has no license", id))
		}
		slices.Sort(m.licenses)
		m.licenses = slices.Compact(m.licenses)
		modules = append(modules, m)
	}
	return modules, texts, errors.Join(problems...)
}

// findLicenses adds the license files in a folder, and in its parents up to the root of the module, to found.
func findLicenses(folder, root string, found map[string]string) error {
	for ; ; folder = filepath.Dir(folder) {
		files, err := os.ReadDir(folder)
		if err != nil {
			return err
		}
		for _, file := range files {
			name := file.Name()
			if file.Type().IsRegular() && filepath.Ext(name) != ".go" && (licenseName.MatchString(name) ||
				noticeName.MatchString(name)) {
				location := filepath.Join(folder, name)
				relative, err := filepath.Rel(root, location)
				if err != nil {
					return err
				}
				found[filepath.ToSlash(relative)] = location
			}
		}
		if folder == root || len(folder) < len(root) {
			return nil
		}
	}
}

var classifier = sync.OnceValues(assets.DefaultClassifier)

// licenseCache has the licenses of texts. Classifying a text takes a quarter of a second, and most modules share one.
var licenseCache = map[string][]string{}

// classify returns the SPDX identifiers of the licenses in a text. A license that is not permissive is an error.
func classify(text []byte) (ids []string, err error) {
	if ids := licenseCache[string(text)]; ids != nil {
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
			return nil, fmt.Errorf("%s is not one of %s", match.Name, strings.Join(permissive, ", "))
		}
		ids = append(ids, match.Name)
	}
	if len(ids) == 0 {
		return nil, errors.New("unknown license text")
	}
	licenseCache[string(text)] = ids
	return ids, nil
}
