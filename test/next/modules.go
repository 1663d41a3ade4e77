package main

import (
	"archive/zip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path"
	"slices"
	"strings"
)

// newestVersion returns the newest version of a module with a prefix, or "". A pre-release counts as older than its
// release.
func newestVersion(module, prefix string) (string, error) {
	list, err := exec.Command("go", "list", "-m", "-versions", "-f", "{{range .Versions}}{{.}}\n{{end}}",
		module+"@latest").Output()
	if err != nil {
		return "", fmt.Errorf("go list -m -versions %s: %w", module, err)
	}
	newest := ""
	for version := range strings.Lines(string(list)) { // go list sorts them
		if strings.HasPrefix(version, prefix) {
			newest = strings.TrimSpace(version)
		}
	}
	return newest, nil
}

// download returns go.mod and the source files of the packages in folders. It reads the zip file of the module, because
// go mod download does not unpack a module that requires a newer Go: it fails after the download.
func download(module, version string) (map[string][]byte, error) {
	fetch := exec.Command("go", "mod", "download", "-json", module+"@"+version)
	fetch.Env = append(os.Environ(), "GOTOOLCHAIN=local", "GOWORK=off")
	output, fetchErr := fetch.Output()
	var result struct{ Zip, Error string }
	if err := json.Unmarshal(output, &result); err != nil || result.Zip == "" {
		return nil, fmt.Errorf("%s: %w: %s", fetch, errors.Join(fetchErr, err), result.Error)
	}
	archive, err := zip.OpenReader(result.Zip)
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
