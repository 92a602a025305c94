{{- define "heliograph.labels" -}}
app.kubernetes.io/name: heliograph
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "heliograph.image" -}}
{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}
{{- end }}

{{- /* What all pods have alike. */}}
{{- define "heliograph.pod" -}}
# Variables such as HELIOGRAPH_PORT, which Kubernetes makes of a Service, would be taken for settings.
enableServiceLinks: false
automountServiceAccountToken: false
# Ten seconds for the stop, and those of the drain.
terminationGracePeriodSeconds: 30
securityContext:
  runAsNonRoot: true
  runAsUser: 1000
  runAsGroup: 1000
  fsGroup: 1000
  seccompProfile:
    type: RuntimeDefault
volumes:
  - name: secrets
    secret:
      secretName: {{ .Values.existingSecret }}
      # 0440
      defaultMode: 288
  # Everything is in the database, the generated secrets as well.
  - name: data
    emptyDir: {}
{{- end }}

{{- /* What all containers have alike. */}}
{{- define "heliograph.container" -}}
image: {{ include "heliograph.image" . | quote }}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities:
    drop: [ALL]
volumeMounts:
  - name: secrets
    mountPath: /run/secrets/heliograph
    readOnly: true
  - name: data
    mountPath: /data
{{- end }}

{{- /* Probes of the port that is named "health". */}}
{{- define "heliograph.probes" -}}
startupProbe:
  httpGet:
    path: /health
    port: health
  periodSeconds: 2
  failureThreshold: 60
livenessProbe:
  httpGet:
    path: /health
    port: health
  periodSeconds: 10
  timeoutSeconds: 5
  failureThreshold: 6
readinessProbe:
  httpGet:
    path: /ready
    port: health
  periodSeconds: 2
  timeoutSeconds: 5
  failureThreshold: 3
{{- end }}
