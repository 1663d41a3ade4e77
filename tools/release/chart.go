package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

// What of the chart is the release's: its own version, that of the program, and the digest of the image.
var (
	chartVersion = regexp.MustCompile(`(?m)^version: .*$`)
	appVersion   = regexp.MustCompile(`(?m)^appVersion: .*$`)
	imageDigest  = regexp.MustCompile(`(?m)^  digest: ""$`)
)

func (r *release) makeChart(ctx context.Context) error {
	entries, err := r.chart(ctx)
	if err != nil {
		return err
	}
	packed, err := packTar(entries, r.source.time)
	if err != nil {
		return err
	}
	return r.put(fmt.Sprintf("%s-%s.tgz", program, strings.TrimPrefix(r.version, "v")), packed)
}

// chart of the folder config/charts/claimbridge, by the names that its files have in it.
func (r *release) chart(ctx context.Context) (entries []entry, err error) {
	_, digest, _ := strings.Cut(r.image, "@")
	files, err := r.tracked(ctx, "config/charts/"+program)
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
		case program + "/Chart.yaml":
			text, err = replaceOne(text, chartVersion, "version: "+strings.TrimPrefix(r.version, "v"))
			if err == nil {
				text, err = replaceOne(text, appVersion, "appVersion: "+r.version)
			}
		case program + "/values.yaml":
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
