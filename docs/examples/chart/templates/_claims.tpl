{{/*
For charts that support Kubernetes 1.32 and later: copy this file to the folder templates of your chart.

claims.apiVersion is the newest version of resource.k8s.io that the cluster serves. It searches for a kind, because Helm
also knows the names of versions that a cluster doesn't serve.
*/}}
{{- define "claims.apiVersion" -}}
{{- $found := "" -}}
{{- range $version := list "v1" "v1beta2" "v1beta1" -}}
{{- if and (not $found) ($.Capabilities.APIVersions.Has (printf "resource.k8s.io/%s/DeviceClass" $version)) -}}
{{- $found = printf "resource.k8s.io/%s" $version -}}
{{- end -}}
{{- end -}}
{{- $found | required "the cluster serves no version of resource.k8s.io that this chart knows; without a cluster say which: --api-versions resource.k8s.io/v1/DeviceClass" -}}
{{- end -}}

{{/*
claims.requests are the requests of a claim in that version. Its argument is a list of requests in v1: name, and exactly
or firstAvailable.

  {{- include "claims.requests" (list . (list (dict "name" "gpu" "exactly" (dict "deviceClassName" "gpu.example.com")))) | nindent 4 }}
*/}}
{{- define "claims.requests" -}}
{{- $isFlat := eq (include "claims.apiVersion" (index . 0)) "resource.k8s.io/v1beta1" -}}
{{- $requests := list -}}
{{- range index . 1 -}}
{{- if and $isFlat .exactly -}}
{{- $requests = append $requests (merge (omit . "exactly") .exactly) -}}
{{- else -}}
{{- $requests = append $requests . -}}
{{- end -}}
{{- end -}}
{{- toYaml $requests -}}
{{- end -}}
