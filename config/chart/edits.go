package main

import (
	"fmt"
	"regexp"
	"strings"
)

// replace what an expression finds, which must be there as often as is said: a change of the manifests that this program does not know is an error.
func replace(text, expression, with string, times int) (string, error) {
	pattern := regexp.MustCompile(expression)
	if found := len(pattern.FindAllString(text, -1)); found != times {
		return "", fmt.Errorf("%s is there %d times, want %d", expression, found, times)
	}
	return pattern.ReplaceAllString(text, with), nil
}

func asItIs(text string) (string, error) { return text, nil }

const keepAnnotation = "{{- if .Values.definitions.keep }}\n    helm.sh/resource-policy: keep\n{{- end }}\n"

// keep what claims and their users need when the release goes, unless asked.
func keep(text string) (string, error) {
	if strings.Contains(text, "kind: CustomResourceDefinition\n") {
		return replace(text, `(?m)^kind: CustomResourceDefinition\nmetadata:\n  annotations:\n`, "${0}"+keepAnnotation, 2)
	}
	return replace(text, `(?m)^kind: ClusterRole\nmetadata:\n`, "${0}{{- if .Values.definitions.keep }}\n  annotations:\n    helm.sh/resource-policy: keep\n{{- end }}\n", 2)
}

// deploy lets users of the chart say where and how large the pods are, and who makes the namespace.
func deploy(text string) (string, error) {
	optional := func(name string) string {
		return "{{- with .Values." + name + " }}\n      " + name + ":\n        {{- toYaml . | nindent 8 }}\n{{- end }}\n"
	}
	for _, edit := range []struct{ find, with string }{
		{`(?m)^  replicas: 2\n`, "  replicas: {{ .Values.replicas }}\n"},
		{`(?m)^        resources:\n(?:          .*\n)+`, "        resources:\n          {{- toYaml .Values.resources | nindent 10 }}\n"},
		{`(?m)^      nodeSelector:\n(?:        .*\n)+`, optional("nodeSelector") + optional("tolerations") + optional("imagePullSecrets")},
		{`(?m)^      affinity:\n(?:        .*\n)+`, "{{- with .Values.affinity }}\n      affinity:\n        {{- toYaml . | nindent 8 }}\n{{- else }}\n${0}{{- end }}\n"},
		{`(?m)^        env:\n`, "{{- range .Values.extraArgs }}\n        - {{ . | quote }}\n{{- end }}\n${0}"},
		{`(?m)^---\napiVersion: v1\nkind: Namespace\n(?:[ a-z].*\n)+`, "{{- if .Values.createNamespace }}\n${0}{{- end }}\n"},
	} {
		var err error
		if text, err = replace(text, edit.find, edit.with, 1); err != nil {
			return "", err
		}
	}
	return text, nil
}
