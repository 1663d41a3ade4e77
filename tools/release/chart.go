package main

import (
	"context"
	"fmt"
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
func (r *release) makeCharts(ctx context.Context) error {
	charts, err := r.tracked(ctx, ":(glob)config/charts/*/Chart.yaml")
	if err != nil {
		return err
	}
	for _, chart := range charts {
		name := path.Base(path.Dir(chart))
		entries, err := r.chart(ctx, name)
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

func (r *release) chart(ctx context.Context, name string) (entries []entry, err error) {
	image, digest, _ := strings.Cut(r.images[name], "@")
	if image == "" {
		return nil, fmt.Errorf("there is no image of that name")
	}
	files, err := r.tracked(ctx, "config/charts/"+name)
	if err != nil {
		return nil, err
	}
	for _, file := range files {
		text, err := os.ReadFile(filepath.Join(r.root, filepath.FromSlash(file)))
		if err != nil {
			return nil, err
		}
		file = strings.TrimPrefix(file, "config/charts/")
		switch file {
		case name + "/Chart.yaml":
			text, err = replaceOne(text, chartVersion, "version: "+strings.TrimPrefix(r.version, "v"))
			if err == nil {
				text, err = replaceOne(text, appVersion, "appVersion: "+r.version)
			}
		case name + "/values.yaml":
			text, err = replaceOne(text, imageDigest, "  digest: "+digest)
		}
		if err != nil {
			return nil, err
		}
		entries = append(entries, entry{file, 0o644, text})
	}
	return entries, nil
}

// replaceOne line, of which there must be one.
func replaceOne(text []byte, line *regexp.Regexp, by string) ([]byte, error) {
	if n := len(line.FindAll(text, -1)); n != 1 {
		return nil, fmt.Errorf("%s fits %d lines, and should fit one", line, n)
	}
	return line.ReplaceAllLiteral(text, []byte(by)), nil
}
