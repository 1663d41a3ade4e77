package main

import (
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

// module is a Go module that has a package in the program.
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
// files. A module without a license, or with one that is not permissive, is an error.
func (r *release) licenses(ctx context.Context, platform string) (modules []module, texts []entry, err error) {
	filesByModule, err := r.licenseFiles(ctx, platform)
	if err != nil {
		return nil, nil, err
	}
	var problems []error
	for _, id := range slices.Sorted(maps.Keys(filesByModule)) {
		name, version, _ := strings.Cut(id, "@")
		m := module{path: name, version: cmp.Or(version, strings.TrimPrefix(r.source.compiler, "go"))}
		hasLicenseFile := false
		for _, file := range slices.Sorted(maps.Keys(filesByModule[id])) {
			text, err := os.ReadFile(filesByModule[id][file])
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

// licenseFiles returns the license and notice files of the modules that are linked into the program of a platform. The
// keys are PATH@VERSION of the module (std for the standard library) and the path of the file in the module. The values
// are paths on this machine. It searches the folder of each package and its parents, because a module may contain
// packages of other projects with a different license.
func (r *release) licenseFiles(ctx context.Context, platform string) (map[string]map[string]string, error) {
	const format = `{{if .Standard}}std {{.Root}} {{.Root}}{{else if not ` +
		`.Module.Main}}{{.Module.Path}}@{{.Module.Version}} {{.Module.Dir}} {{.Dir}}{{end}}`
	packages, err := r.packages(ctx, platform, format)
	if err != nil {
		return nil, err
	}
	filesByModule := map[string]map[string]string{}
	for line := range strings.Lines(string(packages)) {
		fields := strings.Fields(line)
		if len(fields) != 3 { // a package of the main module
			continue
		}
		id, root, folder := fields[0], fields[1], fields[2]
		if filesByModule[id] == nil {
			filesByModule[id] = map[string]string{}
		}
		if err := addLicenseFiles(filesByModule[id], root, folder); err != nil {
			return nil, err
		}
	}
	return filesByModule, nil
}

// addLicenseFiles adds the license and notice files in a folder, and in its parents up to the root of the module, to
// files: their paths on this machine, by their paths in the module.
func addLicenseFiles(files map[string]string, root, folder string) error {
	for ; ; folder = filepath.Dir(folder) {
		dirEntries, err := os.ReadDir(folder)
		if err != nil {
			return err
		}
		for _, file := range dirEntries {
			name := file.Name()
			isLicenseFile := filepath.Ext(name) != ".go" &&
				(licenseName.MatchString(name) || noticeName.MatchString(name))
			if !file.Type().IsRegular() || !isLicenseFile {
				continue
			}
			location := filepath.Join(folder, name)
			relative, err := filepath.Rel(root, location)
			if err != nil {
				return err
			}
			files[filepath.ToSlash(relative)] = location
		}
		if folder == root || len(folder) < len(root) {
			return nil
		}
	}
}

var classifier = sync.OnceValues(assets.DefaultClassifier)

// licenseCache has the SPDX identifiers by license text. Classifying a text takes a quarter of a second, and most
// modules have the same text.
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
