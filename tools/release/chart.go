package main

import (
	"context"
	"fmt"
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
func (r *release) chart(ctx context.Context) ([]entry, error) {
	_, digest, _ := strings.Cut(r.image, "@")
	entries, err := r.files(ctx, "config/charts/"+program)
	for i := range entries {
		e := &entries[i]
		e.Name = strings.TrimPrefix(e.Name, "config/charts/")
		switch e.Name {
		case program + "/Chart.yaml":
			e.Content, err = replaceOne(e.Content, chartVersion, "version: "+strings.TrimPrefix(r.version, "v"))
			if err == nil {
				e.Content, err = replaceOne(e.Content, appVersion, "appVersion: "+r.version)
			}
		case program + "/values.yaml":
			e.Content, err = replaceOne(e.Content, imageDigest, "  digest: "+digest)
		}
		if err != nil {
			return nil, err
		}
	}
	return entries, err
}

// replaceOne line, of which there must be one.
func replaceOne(text []byte, line *regexp.Regexp, by string) ([]byte, error) {
	if n := len(line.FindAll(text, -1)); n != 1 {
		return nil, fmt.Errorf("%s fits %d lines, and should fit one", line, n)
	}
	return line.ReplaceAllLiteral(text, []byte(by)), nil
}
