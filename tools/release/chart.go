package main

import (
	"context"
	"fmt"
	"regexp"
	"strings"
)

// buildChart packs the Helm chart.
func (r *release) buildChart(ctx context.Context) error {
	entries, err := r.chart(ctx)
	if err != nil {
		return err
	}
	packed, err := packTarGz(entries, r.source.time)
	if err != nil {
		return err
	}
	return r.addFile(fmt.Sprintf("%s-%s.tgz", program, strings.TrimPrefix(r.version, "v")), packed)
}

// chart returns the files of config/charts/claimbridge by their names in the package. The version of the chart, the
// version of the program and the digest of the image are set to those of the release.
func (r *release) chart(ctx context.Context) ([]entry, error) {
	entries, err := r.files(ctx, "config/charts/"+program)
	if err != nil {
		return nil, err
	}
	_, digest, _ := strings.Cut(r.image, "@")
	edits := []struct{ file, pattern, replacement string }{
		{"Chart.yaml", `version: .*`, "version: " + strings.TrimPrefix(r.version, "v")},
		{"Chart.yaml", `appVersion: .*`, "appVersion: " + r.version},
		{"values.yaml", `  digest: ""`, "  digest: " + digest},
	}
	for i := range entries {
		e := &entries[i]
		e.Name = strings.TrimPrefix(e.Name, "config/charts/")
		for _, edit := range edits {
			if e.Name != program+"/"+edit.file {
				continue
			}
			if e.Content, err = replaceLine(e.Content, edit.pattern, edit.replacement); err != nil {
				return nil, fmt.Errorf("%s: %w", edit.file, err)
			}
		}
	}
	return entries, nil
}

// replaceLine replaces the line that matches a pattern. It is an error unless exactly one line matches.
func replaceLine(text []byte, pattern, replacement string) ([]byte, error) {
	line := regexp.MustCompile("(?m)^" + pattern + "$")
	if n := len(line.FindAll(text, -1)); n != 1 {
		return nil, fmt.Errorf("%s matches %d lines, want 1", line, n)
	}
	return line.ReplaceAllLiteral(text, []byte(replacement)), nil
}
