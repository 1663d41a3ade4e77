package main

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
)

// What of a chart is the release's: its own version, that of the program, and the digest of the image.
var (
	chartVersion = regexp.MustCompile(`(?m)^version: .*$`)
	appVersion   = regexp.MustCompile(`(?m)^appVersion: .*$`)
	imageDigest  = regexp.MustCompile(`(?m)^  digest: ""$`)
)

// makeCharts of the folders in config/charts/, each of which has the name of the program that it installs.
func (r *release) makeCharts(context.Context) error {
	charts, err := filepath.Glob(filepath.Join(r.root, "config/charts/*/Chart.yaml"))
	if err != nil {
		return err
	}
	for _, chart := range charts {
		folder := filepath.Dir(chart)
		name := filepath.Base(folder)
		entries, err := r.chart(folder, name)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		packed, err := packTar(entries, r.source.time)
		if err != nil {
			return err
		}
		if err := r.put(fmt.Sprintf("%s-%s.tgz", name, strings.TrimPrefix(r.version, "v")), packed); err != nil {
			return err
		}
	}
	return nil
}

func (r *release) chart(folder, name string) (entries []entry, err error) {
	image, digest, _ := strings.Cut(r.images[name], "@")
	if image == "" {
		return nil, fmt.Errorf("there is no image of that name")
	}
	files := os.DirFS(folder)
	err = fs.WalkDir(files, ".", func(file string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := fs.ReadFile(files, file)
		if err != nil {
			return err
		}
		switch file {
		case "Chart.yaml":
			text, err = replaceOne(text, chartVersion, "version: "+strings.TrimPrefix(r.version, "v"))
			if err == nil {
				text, err = replaceOne(text, appVersion, "appVersion: "+r.version)
			}
		case "values.yaml":
			text, err = replaceOne(text, imageDigest, "  digest: "+digest)
		}
		entries = append(entries, entry{path.Join(name, file), 0o644, text})
		return err
	})
	return entries, err
}

// replaceOne line, of which there must be one.
func replaceOne(text []byte, line *regexp.Regexp, by string) ([]byte, error) {
	if n := len(line.FindAll(text, -1)); n != 1 {
		return nil, fmt.Errorf("%s fits %d lines, and should fit one", line, n)
	}
	return line.ReplaceAllLiteral(text, []byte(by)), nil
}
