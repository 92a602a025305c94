// The manifests for Kubernetes and those of the Helm chart, held against schemas of our own: there is no cluster here. The schemas
// are closed, so that a member that Kubernetes does not know is found.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TSchema, Type } from 'typebox'
import { Value } from 'typebox/value'
import { describe, expect, test } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { loadProgram } from '../../src/boot/program.ts'
import { loadConfig } from '../../src/runtime/config.ts'
import { environmentName, fileVariableName, SETTING_NAMES } from '../../src/runtime/settings.ts'
import { VERSION } from '../../src/runtime/version.ts'
import { renderChart } from './helm-template.ts'

const closed = (members: Record<string, TSchema>) => Type.Object(members, { additionalProperties: false })
const maybe = (schema: TSchema) => Type.Optional(schema)
const Text = Type.String({ minLength: 1 })
const Texts = Type.Array(Text)
const Labels = Type.Record(Type.String({ pattern: '^([a-z0-9.-]+/)?[A-Za-z0-9_.-]+$' }), Type.String())
const Metadata = closed({ name: Type.String({ pattern: '^[a-z0-9-]+$' }), labels: Labels, annotations: maybe(Labels) })
const Selector = closed({ matchLabels: Labels })

const Probe = closed({
  httpGet: closed({ path: Type.Union([Type.Literal('/health'), Type.Literal('/ready')]), port: Text }),
  periodSeconds: Type.Integer({ minimum: 1 }),
  timeoutSeconds: maybe(Type.Integer({ minimum: 1 })),
  failureThreshold: Type.Integer({ minimum: 1 }),
})
const Quantities = closed({ cpu: maybe(Text), memory: maybe(Text) })
const Container = closed({
  name: Text,
  image: Text,
  args: Texts,
  env: maybe(Type.Array(closed({ name: Text, value: Text }))),
  envFrom: maybe(Type.Array(closed({ configMapRef: closed({ name: Text }) }))),
  ports: maybe(Type.Array(closed({ name: Text, containerPort: Type.Integer() }))),
  startupProbe: maybe(Probe),
  livenessProbe: maybe(Probe),
  readinessProbe: maybe(Probe),
  resources: maybe(closed({ requests: Quantities, limits: Quantities })),
  securityContext: closed({
    allowPrivilegeEscalation: Type.Literal(false),
    readOnlyRootFilesystem: Type.Literal(true),
    capabilities: closed({ drop: Type.Tuple([Type.Literal('ALL')]) }),
  }),
  volumeMounts: Type.Array(closed({ name: Text, mountPath: Text, readOnly: maybe(Type.Boolean()) })),
})
const Pod = closed({
  // With them, the Service would set HELIOGRAPH_PORT.
  enableServiceLinks: Type.Literal(false),
  automountServiceAccountToken: Type.Literal(false),
  restartPolicy: maybe(Type.Literal('Never')),
  terminationGracePeriodSeconds: Type.Integer(),
  securityContext: closed({
    runAsNonRoot: Type.Literal(true),
    runAsUser: Type.Literal(1000),
    runAsGroup: Type.Literal(1000),
    fsGroup: Type.Literal(1000),
    seccompProfile: closed({ type: Type.Literal('RuntimeDefault') }),
  }),
  topologySpreadConstraints: maybe(
    Type.Array(
      closed({ maxSkew: Type.Integer(), topologyKey: Text, whenUnsatisfiable: Text, labelSelector: Selector }),
    ),
  ),
  initContainers: maybe(Type.Array(Container)),
  containers: Type.Array(Container, { minItems: 1 }),
  volumes: Type.Array(
    closed({
      name: Text,
      secret: maybe(closed({ secretName: Text, defaultMode: Type.Literal(0o440) })),
      emptyDir: maybe(closed({})),
    }),
  ),
})
const Template = closed({ metadata: closed({ labels: Labels, annotations: maybe(Labels) }), spec: Pod })
const Backend = closed({ service: closed({ name: Text, port: closed({ name: Text }) }) })

const kind = (apiVersion: string, members: Record<string, TSchema>) =>
  closed({ apiVersion: Type.Literal(apiVersion), kind: Text, metadata: Metadata, ...members })
const KINDS: Record<string, TSchema> = {
  ConfigMap: kind('v1', { data: Type.Record(Type.String(), Type.String()) }),
  Deployment: kind('apps/v1', {
    spec: closed({
      replicas: Type.Integer({ minimum: 1 }),
      selector: Selector,
      strategy: closed({ rollingUpdate: closed({ maxSurge: Type.Integer(), maxUnavailable: Type.Integer() }) }),
      template: Template,
    }),
  }),
  Job: kind('batch/v1', {
    spec: closed({ backoffLimit: Type.Integer(), activeDeadlineSeconds: Type.Integer(), template: Template }),
  }),
  Service: kind('v1', {
    spec: closed({
      selector: Labels,
      ports: Type.Array(closed({ name: Text, port: Type.Integer(), targetPort: Text })),
    }),
  }),
  PodDisruptionBudget: kind('policy/v1', {
    spec: closed({ minAvailable: Type.Integer({ minimum: 1 }), selector: Selector }),
  }),
  Ingress: kind('networking.k8s.io/v1', {
    spec: closed({
      ingressClassName: maybe(Text),
      rules: Type.Array(
        closed({
          host: Text,
          http: closed({ paths: Type.Array(closed({ path: Text, pathType: Text, backend: Backend })) }),
        }),
      ),
      tls: maybe(Type.Array(closed({ hosts: Texts, secretName: Text }))),
    }),
  }),
}

// biome-ignore lint/suspicious/noExplicitAny: the schemas above say what they are.
type Manifest = any
const documentsIn = (text: string): Manifest[] =>
  parseAllDocuments(text, { merge: true }).flatMap((document) => {
    expect(document.errors).toEqual([])
    return document.toJS() ?? []
  })

const FOLDER = 'deploy/kubernetes'
const CHART = 'deploy/helm/heliograph'
const kustomization = parse(readFileSync(join(FOLDER, 'kustomization.yaml'), 'utf8'))
const ofFolder = kustomization.resources.flatMap((file: string) =>
  documentsIn(readFileSync(join(FOLDER, file), 'utf8')),
)
const manifestsOf = (values?: Record<string, unknown>) =>
  Object.entries(renderChart(CHART, values)).flatMap(([file, text]) =>
    file.endsWith('.yaml') ? documentsIn(text) : [],
  )

const podOf = (manifest: Manifest) => manifest.spec?.template?.spec
const containersOf = (pod: Manifest): Manifest[] => [...(pod.initContainers ?? []), ...pod.containers]
const ofKind = (manifests: Manifest[], name: string) => manifests.filter((manifest) => manifest.kind === name)

describe.each([
  ['the manifests', () => ofFolder],
  ['the chart', manifestsOf],
])('%s', (_name, read) => {
  const manifests: Manifest[] = read()
  const pods = manifests.filter(podOf)
  const [config] = ofKind(manifests, 'ConfigMap')

  test('have the members that Kubernetes knows, and those that it requires', () => {
    const wrong = manifests.flatMap((manifest) => {
      const schema = KINDS[manifest.kind]
      if (!schema) return [`unknown kind ${manifest.kind}`]
      return [...Value.Errors(schema, manifest)].map(
        ({ instancePath, message }) => `${manifest.kind} ${manifest.metadata.name}${instancePath} ${message}`,
      )
    })
    expect(wrong).toEqual([])
    expect(manifests.map((manifest) => manifest.kind)).toEqual(
      expect.arrayContaining(['ConfigMap', 'Deployment', 'Service', 'PodDisruptionBudget', 'Ingress']),
    )
  })

  test('select pods by labels that the pods have', () => {
    const deployments = ofKind(manifests, 'Deployment')
    for (const { spec } of deployments) expect(spec.template.metadata.labels).toMatchObject(spec.selector.matchLabels)
    const serving = deployments.find(({ metadata }) => metadata.name.endsWith('-serve')).spec.template.metadata.labels
    const selectors = [
      ofKind(manifests, 'Service')[0].spec.selector,
      ofKind(manifests, 'PodDisruptionBudget')[0].spec.selector.matchLabels,
    ]
    for (const selector of selectors) expect(serving).toMatchObject(selector)
    expect(selectors[0]).toHaveProperty(['app.kubernetes.io/component'], 'serve')
  })

  test('run commands that exist, with probes on ports that the container has, and mounts of volumes that the pod has', async () => {
    const commands = (await loadProgram()).commands.map((command) => command.name())
    for (const pod of pods.map(podOf))
      for (const { args, ports = [], volumeMounts, ...container } of containersOf(pod)) {
        expect(commands).toContain(args[0])
        const names = ports.map((port: { name: string }) => port.name)
        for (const probe of ['startupProbe', 'livenessProbe', 'readinessProbe'])
          if (container[probe]) expect(names).toContain(container[probe].httpGet.port)
        for (const { name } of volumeMounts)
          expect(pod.volumes.map((volume: { name: string }) => volume.name)).toContain(name)
      }
    const longRunning = pods
      .filter((manifest) => manifest.kind === 'Deployment')
      .flatMap((manifest) => podOf(manifest).containers)
    expect(longRunning.every(({ livenessProbe, readinessProbe }) => livenessProbe && readinessProbe)).toBe(true)
    expect(pods.flatMap((manifest) => containersOf(podOf(manifest))).map(({ args }) => args[0])).toContain('migrate')
  })

  test('have settings that the program accepts, with the secret in a file', () => {
    const known = SETTING_NAMES.flatMap((name) => [environmentName(name), fileVariableName(name)])
    expect(known).toEqual(expect.arrayContaining(Object.keys(config.data)))
    const { HELIOGRAPH_DATABASE_URL_FILE: secret, ...settings } = config.data
    expect(loadConfig({}, settings, 'no-such-file.json')).toMatchObject({ metricsPort: 9464, drainSeconds: 10 })
    for (const pod of pods.map(podOf))
      for (const { volumeMounts } of containersOf(pod))
        expect(volumeMounts.some(({ mountPath }: { mountPath: string }) => secret.startsWith(`${mountPath}/`))).toBe(
          true,
        )
    expect(JSON.stringify(manifests)).not.toMatch(/"HELIOGRAPH_(DATABASE|SMTP)_URL"/)
  })

  test('leave a node more time to stop than it needs, and notice its drain before it ends', () => {
    for (const { spec } of ofKind(manifests, 'Deployment')) {
      const { terminationGracePeriodSeconds, containers } = spec.template.spec
      const drainSeconds = Number(config.data.HELIOGRAPH_DRAIN_SECONDS)
      const { periodSeconds, failureThreshold } = containers[0].readinessProbe
      expect(periodSeconds * failureThreshold).toBeLessThan(drainSeconds)
      expect(terminationGracePeriodSeconds).toBeGreaterThan(drainSeconds + 10)
    }
  })
})

test('their ingress passes bodies as large as those of the nginx file', () => {
  const [, size] = /client_max_body_size (\w+);/.exec(readFileSync('deploy/proxy/nginx.conf', 'utf8')) ?? []
  for (const file of ['deploy/kubernetes/ingress.yaml', 'deploy/helm/heliograph/values.yaml']) {
    expect(readFileSync(file, 'utf8')).toContain(`nginx.ingress.kubernetes.io/proxy-body-size: ${size}\n`)
  }
})

test('both have the version of the program', () => {
  expect(kustomization.images).toMatchObject([{ name: 'heliograph', newTag: VERSION }])
  const chart = parse(readFileSync(join(CHART, 'Chart.yaml'), 'utf8'))
  expect([chart.version, chart.appVersion]).toEqual([VERSION, VERSION])
  expect(
    readdirSync(FOLDER)
      .filter((file) => file !== 'kustomization.yaml')
      .sort(),
  ).toEqual(kustomization.resources.toSorted())
})

test('values of the chart change what they name', () => {
  const off = manifestsOf({ ingress: { enabled: false } })
  expect(off.map(({ kind }) => kind)).not.toContain('Ingress')
  const image = { repository: 'registry.example.org/heliograph', tag: '9.9.9' }
  const containers = manifestsOf({ image })
    .filter(podOf)
    .flatMap((manifest) => containersOf(podOf(manifest)))
  expect(new Set(containers.map((container) => container.image))).toEqual(
    new Set(['registry.example.org/heliograph:9.9.9']),
  )
})
