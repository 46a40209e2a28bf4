{{- define "tributary.name" -}}
{{ contains "tributary" .Release.Name | ternary .Release.Name (printf "%s-tributary" .Release.Name) | trunc 52 | trimSuffix "-" }}
{{- end }}

{{- define "tributary.selector" -}}
app.kubernetes.io/name: tributary
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "tributary.metadata" -}}
name: {{ include "tributary.name" . }}
labels:
  {{- include "tributary.selector" . | nindent 2 }}
  app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
  app.kubernetes.io/managed-by: {{ .Release.Service }}
{{- end }}

{{/* The files of the ConfigMap by their keys: a key cannot have a slash. */}}
{{- define "tributary.files" -}}
{{- range $catalogue, $files := .Values.configs }}
{{- range $file, $content := $files }}
{{ printf "configs.%s.%s" $catalogue $file | quote }}: {{ $content | toPrettyJson | quote }}
{{- end }}
{{- end }}
{{- range $name := list "nodes" "hubs" "portal" "access" }}
{{- with index $.Values $name }}
{{ $name }}.json: {{ . | toPrettyJson | quote }}
{{- end }}
{{- end }}
{{- end }}
