package main

import (
	"context"
	"fmt"
	"regexp"
	"strings"
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

// chart of the folder config/charts/claimbridge, by the names that its files have in it. What of it
// is the release's: its own version, that of the program, and the digest of the image.
func (r *release) chart(ctx context.Context) ([]entry, error) {
	_, digest, _ := strings.Cut(r.image, "@")
	entries, err := r.files(ctx, "config/charts/"+program)
	for i := range entries {
		e := &entries[i]
		e.Name = strings.TrimPrefix(e.Name, "config/charts/")
		for _, line := range []struct{ file, is, becomes string }{
			{"Chart.yaml", `version: .*`, "version: " + strings.TrimPrefix(r.version, "v")},
			{"Chart.yaml", `appVersion: .*`, "appVersion: " + r.version},
			{"values.yaml", `  digest: ""`, "  digest: " + digest},
		} {
			if e.Name == program+"/"+line.file && err == nil {
				e.Content, err = replaceOne(e.Content, line.is, line.becomes)
			}
		}
	}
	return entries, err
}

// replaceOne line, of which there must be one.
func replaceOne(text []byte, is, by string) ([]byte, error) {
	line := regexp.MustCompile("(?m)^" + is + "$")
	if n := len(line.FindAll(text, -1)); n != 1 {
		return nil, fmt.Errorf("%s fits %d lines, and should fit one", line, n)
	}
	return line.ReplaceAllLiteral(text, []byte(by)), nil
}
