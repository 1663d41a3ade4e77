// Command next [FROM TO] prints what changes for claims between two releases of Kubernetes, and the row of a table for
// each change. It reads the modules of the releases, including pre-releases, from the module proxy. By default, the
// releases are the newest one and the next one, and the recorded changes must be equal: newer modules are an error.
package main

import (
	"archive/zip"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path"
	"slices"
	"strings"

	"github.com/claimbridge/claimbridge/api"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "error:", err)
		os.Exit(1) //nolint:forbidigo // a separate program
	}
}

func run(named []string) error {
	releases := named
	switch len(releases) {
	case 0:
		all := slices.DeleteFunc(api.Releases(), func(r api.Release) bool { return r.Provisional != "" })
		last := all[len(all)-1].Name
		releases = []string{last, fmt.Sprintf("1.%d", api.Minor(last)+1)}
	case 2:
		if api.Minor(releases[0]) == 0 || api.Minor(releases[1]) == 0 {
			return fmt.Errorf("%q are no releases: write them like 1.37 1.38", releases)
		}
	default:
		return fmt.Errorf("%d arguments: name two releases, like 1.37 1.38, or none", len(releases))
	}
	var found [2]map[string]facts
	var b strings.Builder
	for i, release := range releases {
		var read []string
		var err error
		if found[i], read, err = factsOf(release); err != nil {
			return err
		}
		fmt.Fprintf(&b, "Kubernetes %s: %s\n\n", release, strings.Join(read, ", "))
	}
	b.WriteString("| what | before | after | row |\n|---|---|---|---|\n")
	before, after := facts{}, facts{}
	for module := range found[0] {
		if found[1][module] != nil { // what it says that one of the two releases has not published yet is no change
			maps.Copy(before, found[0][module])
			maps.Copy(after, found[1][module])
		}
	}
	keys := maps.Clone(before)
	maps.Copy(keys, after)
	for _, key := range slices.Sorted(maps.Keys(keys)) {
		if before[key] != after[key] {
			fmt.Fprintf(&b, "| %s | %s | %s | %s |\n", key, cmp.Or(before[key], "-"), cmp.Or(after[key], "-"),
				rowOf(key, after[key], releases[1]))
		}
	}
	b.WriteString("\n" + unseen)
	fmt.Print(b.String())
	if len(named) == 2 {
		return nil
	}
	file := fmt.Sprintf("test/next/testdata/%s-%s.md", releases[0], releases[1])
	if kept, err := os.ReadFile(file); err != nil || string(kept) != b.String() {
		return fmt.Errorf("%s says something else: keep what go run ./test/next %s %s prints, read it, and write its "+
			"rows",
			file, releases[0], releases[1])
	}
	return nil
}

// facts by what they are of.
type facts map[string]string

// factsOf a release by the module that says them, and which modules these are.
func factsOf(release string) (found map[string]facts, read []string, err error) {
	found = map[string]facts{}
	for _, m := range []struct {
		path, prefix string
		facts        func(files map[string][]byte, release string, into facts) error
	}{
		{"k8s.io/api", "v0.", factsOfTypes},
		{"k8s.io/apimachinery", "v0.", factsOfFormats},
		{"k8s.io/kubernetes", "v1.", factsOfKubernetes},
		{"k8s.io/apiserver", "v0.", factsOfExpressions},
		{"k8s.io/dynamic-resource-allocation", "v0.", factsOfExpressions},
	} {
		version, err := newest(m.path, fmt.Sprintf("%s%d.", m.prefix, api.Minor(release)))
		if err != nil {
			return nil, nil, err
		}
		if version == "" {
			read = append(read, m.path+" is not there yet")
			continue
		}
		read, found[m.path] = append(read, m.path+" "+version), facts{}
		files, err := download(m.path, version)
		if err != nil {
			return nil, nil, err
		}
		if err := m.facts(files, release, found[m.path]); err != nil {
			return nil, nil, fmt.Errorf("%s %s: %w", m.path, version, err)
		}
	}
	return found, read, nil
}

// newest version of a module with a prefix, a pre-release where there is no other; empty when there is none.
func newest(module, prefix string) (string, error) {
	list, err := exec.Command("go", "list", "-m", "-versions", "-f", "{{range .Versions}}{{.}}\n{{end}}",
		module+"@latest").Output()
	if err != nil {
		return "", fmt.Errorf("go list -m -versions %s: %w", module, err)
	}
	last := ""
	for version := range strings.Lines(string(list)) { // which are sorted
		if strings.HasPrefix(version, prefix) {
			last = strings.TrimSpace(version)
		}
	}
	return last, nil
}

// files of packages that have to do with claims. They are taken from the zip: Go has it, but
// unpacks no module that wants a newer Go, which is an error beside it.
func download(module, version string) (map[string][]byte, error) {
	fetch := exec.Command("go", "mod", "download", "-json", module+"@"+version)
	fetch.Env = append(os.Environ(), "GOTOOLCHAIN=local", "GOWORK=off")
	output, failed := fetch.Output()
	var found struct{ Zip, Error string }
	if err := json.Unmarshal(output, &found); err != nil || found.Zip == "" {
		return nil, fmt.Errorf("%s: %w: %s", fetch, errors.Join(failed, err), found.Error)
	}
	archive, err := zip.OpenReader(found.Zip)
	if err != nil {
		return nil, err
	}
	defer func() { _ = archive.Close() }()
	files := map[string][]byte{}
	for _, f := range archive.File {
		name := strings.TrimPrefix(f.Name, module+"@"+version+"/")
		isSource := path.Ext(name) == ".go" && !strings.HasSuffix(name, "_test.go")
		if name != "go.mod" && (!isSource || !slices.Contains(folders, path.Dir(name))) {
			continue
		}
		file, err := f.Open()
		if err != nil {
			return nil, err
		}
		if files[name], err = io.ReadAll(file); err != nil {
			return nil, err
		}
	}
	return files, nil
}
