{{- define "claimbridge-apiserver.image" -}}
{{ .Values.image.repository }}{{ if or .Values.image.tag (not .Values.image.digest) }}:{{ .Values.image.tag | default .Chart.AppVersion }}{{ end }}{{ with .Values.image.digest }}@{{ . }}{{ end }}
{{- end }}

{{- /* Oldest first, and each once, whatever the order of the values. */ -}}
{{- define "claimbridge-apiserver.versions" -}}
{{- $served := list }}
{{- range list "v1alpha1" "v1alpha2" "v1alpha3" "v1beta1" "v1beta2" }}
{{- if has . $.Values.versions }}{{ $served = append $served . }}{{ end }}
{{- end }}
{{- join "," $served }}
{{- end }}
