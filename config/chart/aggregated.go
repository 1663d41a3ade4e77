package main

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/claimbridge/claimbridge/config"
)

var (
	// chosen are the two arguments that name what was chosen, whatever that is.
	chosen = regexp.MustCompile(`(?m)^( *- --(?:versions|act-as)=)\S+$`)

	aggregatedActions = strings.NewReplacer(
		"--versions=", `--versions={{ include "claimbridge-apiserver.versions" . }}`, "--act-as=", "--act-as={{ .Values.actAs }}",
		namespace, "{{ .Release.Namespace }}", image, `{{ include "claimbridge-apiserver.image" . }}`, authority.base64, "{{ .Values.caBundle | b64enc }}",
	)
)

// aggregated is the chart of the aggregated API server.
func aggregated() (files []file, err error) {
	for _, p := range []struct {
		part config.Part
		edit func(string) (string, error)
		when string
	}{
		{config.ServerPart, deploy, ""},
		{config.APIServicesPart, asItIs, ""},
		{config.MonitorPart, asItIs, ".Values.monitor.enabled"},
		{config.AlertsPart, asItIs, ".Values.alerts.enabled"},
		{config.DashboardPart, asItIs, ".Values.dashboard.enabled"},
	} {
		text, err := aggregatedPart(p.part)
		if err == nil {
			text, err = p.edit(text)
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", p.part, err)
		}
		files = append(files, file{string(p.part), guarded(text, p.when)})
	}
	return files, nil
}

func aggregatedManifests(o config.AggregatedOptions) render {
	return func() ([]object, error) {
		o.Namespace, o.Image = namespace, image
		stream, err := config.AggregatedManifests(o)
		if err != nil {
			return nil, err
		}
		return objects(chosen.ReplaceAll(stream, []byte("$1")), aggregatedActions), nil
	}
}

func aggregatedPart(name config.Part) (string, error) {
	options := func(mode int) config.AggregatedOptions {
		return config.AggregatedOptions{Certificates: certificates[mode], Only: name, Versions: config.AggregatedVersions}
	}
	var c chart
	for i, mode := range certificates {
		c.modes = append(c.modes, alternative{isMode(mode), aggregatedManifests(options(i))})
	}
	c.others = func(mode int) [][]alternative { return aggregatedQuestions(options(mode)) }
	all, err := c.templates()
	return quoted(strings.Join(all, "")), err
}

// aggregatedQuestions beside that of certificates.
func aggregatedQuestions(base config.AggregatedOptions) (all [][]alternative) {
	with := func(change func(*config.AggregatedOptions)) render {
		o := base
		change(&o)
		return aggregatedManifests(o)
	}
	var actors []alternative
	for _, actor := range config.Actors {
		actors = append(actors, alternative{`eq .Values.actAs "` + string(actor) + `"`, with(func(o *config.AggregatedOptions) { o.ActAs = actor })})
	}
	all = append(all, actors)
	for _, version := range config.AggregatedVersions {
		served := `has "` + version + `" .Values.versions`
		all = append(all, []alternative{{served, nil}, {"not (" + served + ")", with(func(o *config.AggregatedOptions) {
			o.Versions = slices.DeleteFunc(slices.Clone(config.AggregatedVersions), func(v string) bool { return v == version })
		})}})
	}
	if base.Certificates == config.Files {
		all = append(all, []alternative{{"not .Values.caBundle", nil}, {".Values.caBundle", with(func(o *config.AggregatedOptions) { o.CABundle = authority.pem })}})
	}
	return all
}
