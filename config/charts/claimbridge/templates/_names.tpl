{{- define "claimbridge.image" -}}
{{ .Values.image.repository }}{{ if or .Values.image.tag (not .Values.image.digest) }}:{{ .Values.image.tag | default .Chart.AppVersion }}{{ end }}{{ with .Values.image.digest }}@{{ . }}{{ end }}
{{- end }}
