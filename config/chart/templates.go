package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/claimbridge/claimbridge/config"
)

// Names that are asked for, and that nothing else in the manifests has. What stands in their place is a value of the chart.
const (
	group     = "group.of.the.chart.example"
	protected = "group.of.the.chart.k8s.io"
	namespace = "namespace-of-the-chart"
	image     = "image.of.the.chart.example/claimbridge"
	release   = "1.999"
)

var actions = strings.NewReplacer(
	group, "{{ .Values.group }}", protected, "{{ .Values.group }}", namespace, "{{ .Release.Namespace }}",
	image, `{{ include "claimbridge.image" . }}`, release, "{{ .Values.kubernetesRelease }}", authority.base64, "{{ .Values.caBundle | b64enc }}",
)

// certificates by mode. Files come first, as they alone take a CA.
var certificates = []config.Certificates{config.Files, config.Self, config.CertManager}

func isMode(mode config.Certificates) string {
	return `eq .Values.certificates "` + string(mode) + `"`
}

// templates of the chart.
func templates() (files []file, err error) {
	for _, p := range []struct {
		part config.Part
		edit func(string) (string, error)
		when string
	}{
		{config.CRDsPart, keep, ".Values.definitions.install"},
		{config.RolesPart, keep, ".Values.definitions.install"},
		{config.ServerPart, deploy, ""},
		{config.WebhooksPart, asItIs, ""},
		{config.MonitorPart, asItIs, ".Values.monitor.enabled"},
		{config.AlertsPart, asItIs, ".Values.alerts.enabled"},
		{config.DashboardPart, asItIs, ".Values.dashboard.enabled"},
	} {
		text, err := part(p.part)
		if err == nil {
			text, err = p.edit(text)
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", p.part, err)
		}
		files = append(files, file{string(p.part), guarded(text, p.when)})
	}
	account, err := added(config.Options{Certificates: config.Self}, config.Options{Certificates: config.Self, AdmissionPolicy: true})
	if err != nil {
		return nil, err
	}
	access, err := added(config.Options{Certificates: config.Files}, config.Options{Certificates: config.Files, AdminAccessPolicy: true})
	return append(files, file{"admission-policy", guarded(account, ".Values.admissionPolicy")},
		file{"admin-access-policy", guarded(access, ".Values.adminAccessPolicy")}), err
}

func manifests(o config.Options) render {
	return func() ([]object, error) {
		if o.Group == "" {
			o.Group = group
		}
		o.Namespace, o.Image = namespace, image
		stream, err := config.Manifests(o)
		if err != nil {
			return nil, err
		}
		return objects(stream, actions), nil
	}
}

// part of the manifests as a template.
func part(name config.Part) (string, error) {
	var c chart
	for _, mode := range certificates {
		c.modes = append(c.modes, alternative{isMode(mode), manifests(config.Options{Certificates: mode, Only: name})})
	}
	c.others = func(mode int) [][]alternative {
		return questions(config.Options{Certificates: certificates[mode], Only: name})
	}
	all, err := c.templates()
	return quoted(strings.Join(all, "")), err
}

const inTree = `regexMatch "(^|[.])(k8s|kubernetes)[.]io$" .Values.group`

// questions beside that of certificates.
func questions(base config.Options) [][]alternative {
	with := func(change func(*config.Options)) render {
		o := base
		change(&o)
		return manifests(o)
	}
	all := [][]alternative{
		{{"not (" + inTree + ")", nil}, {inTree, with(func(o *config.Options) { o.Group = protected })}},
		{{"not .Values.kubernetesRelease", nil}, {".Values.kubernetesRelease", with(func(o *config.Options) { o.KubernetesRelease = release })}},
	}
	for _, version := range config.Versions[:len(config.Versions)-1] { // all but the one that is stored, which always is served
		served := `has "` + version + `" .Values.versions`
		all = append(all, []alternative{{served, nil}, {"not (" + served + ")", with(func(o *config.Options) {
			o.Versions = slices.DeleteFunc(slices.Clone(config.Versions), func(v string) bool { return v == version })
		})}})
	}
	if base.Certificates == config.Files {
		all = append(all, []alternative{{"not .Values.caBundle", nil}, {".Values.caBundle", with(func(o *config.Options) { o.CABundle = authority.pem })}})
	}
	return all
}

// added are the objects that one choice adds to those of another.
func added(before, after config.Options) (string, error) {
	few, err := manifests(before)()
	if err != nil {
		return "", err
	}
	c := chart{
		modes: []alternative{{"", func() ([]object, error) {
			all, err := manifests(after)()
			return slices.DeleteFunc(all, func(o object) bool { _, ok := find(few, o.title); return ok }), err
		}}},
		others: func(int) [][]alternative { return questions(after) },
	}
	all, err := c.templates()
	return quoted(strings.Join(all, "")), err
}
