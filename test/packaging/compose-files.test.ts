// The compose files, held against a schema of our own: there is no container engine where the tests run.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Type } from 'typebox'
import { Value } from 'typebox/value'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { environmentName, SETTING_NAMES } from '../../src/runtime/settings.ts'
import { PINNED_IMAGE } from './dockerfile.ts'

const FOLDER = 'deploy/compose'
const SETTINGS = SETTING_NAMES.map((name) => environmentName(name))

const Strings = Type.Array(Type.String())
const Service = Type.Object(
  {
    image: Type.String({ pattern: PINNED_IMAGE.source }),
    build: Type.Optional(Type.String()),
    command: Type.Optional(Strings),
    restart: Type.Literal('unless-stopped'),
    stop_grace_period: Type.Optional(Type.String()),
    environment: Type.Record(Type.String(), Type.String()),
    ports: Type.Optional(Strings),
    volumes: Type.Optional(Strings),
    tmpfs: Type.Optional(Strings),
    networks: Strings,
    depends_on: Type.Optional(Type.Record(Type.String(), Type.Object({ condition: Type.Literal('service_healthy') }))),
    healthcheck: Type.Optional(
      Type.Union([
        Type.Object({ disable: Type.Literal(true) }),
        Type.Object({ test: Strings, interval: Type.String(), timeout: Type.String(), start_period: Type.String() }),
      ]),
    ),
    shm_size: Type.Optional(Type.String()),
    read_only: Type.Optional(Type.Boolean()),
    cap_drop: Type.Optional(Strings),
    security_opt: Type.Optional(Strings),
  },
  { additionalProperties: false },
)
const Compose = Type.Object({
  name: Type.Literal('heliograph'),
  services: Type.Record(Type.String(), Service),
  volumes: Type.Record(Type.String(), Type.Null()),
  networks: Type.Record(
    Type.String(),
    Type.Object({ ipam: Type.Object({ config: Type.Array(Type.Object({ subnet: Type.String() })) }) }),
  ),
})

describe.each(['sqlite.yml', 'postgres.yml'])('deploy/compose/%s', (file) => {
  const compose: Type.Static<typeof Compose> = parse(readFileSync(join(FOLDER, file), 'utf8'), { merge: true })
  const services = Object.entries(compose.services)
  const ours = services.filter(([, { image }]) => image.startsWith('heliograph:'))

  test('has only members of our schema, and images with a version', () => {
    expect(
      [...Value.Errors(Compose, compose)].map(({ instancePath, message }) => `${instancePath} ${message}`),
    ).toEqual([])
  })

  test('every service tells its health, by itself or by the Dockerfile', () => {
    expect(services.filter(([name, { healthcheck }]) => !healthcheck && !ours.some(([one]) => one === name))).toEqual(
      [],
    )
  })

  test('volumes, networks and services that are referred to are declared, and mounted files exist', () => {
    for (const [, { volumes = [], networks, depends_on = {} }] of services) {
      for (const [source = ''] of volumes.map((volume) => volume.split(':'))) {
        if (source.startsWith('.')) expect([source, existsSync(join(FOLDER, source))]).toEqual([source, true])
        else expect(Object.keys(compose.volumes)).toContain(source)
      }
      expect(Object.keys(compose.networks)).toEqual(expect.arrayContaining(networks))
      expect(Object.keys(compose.services)).toEqual(expect.arrayContaining(Object.keys(depends_on)))
    }
  })

  test('settings exist, and the trusted proxies are the network of the containers', () => {
    const names = services.flatMap(([, { environment }]) => Object.keys(environment))
    expect(names.filter((name) => name.startsWith('HELIOGRAPH_') && !SETTINGS.includes(name))).toEqual([])
    const trusted = ours.flatMap(([, { environment }]) => environment.HELIOGRAPH_TRUST_PROXY ?? [])
    expect(new Set(trusted)).toEqual(new Set([compose.networks.internal?.ipam.config[0]?.subnet]))
  })

  test('no secret is written in the file: variables that must be set take their place', () => {
    for (const [, { environment }] of services) {
      for (const [name, value] of Object.entries(environment)) {
        if (/PASSWORD|DATABASE_URL|SMTP_URL/.test(name))
          expect(value).toMatch(/^(?:postgres:\/\/\w+:)?\$\{POSTGRES_PASSWORD:\?/)
      }
    }
    const used = JSON.stringify(compose).matchAll(/\$\{(\w+)/g)
    const example = readFileSync(join(FOLDER, 'example.env'), 'utf8')
    for (const [, variable] of used) expect(example).toMatch(new RegExp(`^${variable}=`, 'm'))
  })

  test('our processes may write to their volume only', () => {
    for (const [, service] of ours) {
      expect(service).toMatchObject({ read_only: true, cap_drop: ['ALL'], security_opt: ['no-new-privileges:true'] })
    }
  })
})
