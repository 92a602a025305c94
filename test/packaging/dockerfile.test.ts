// The Dockerfile, as far as reading it can tell. test/deploy runs its steps.
import { existsSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { environmentName, SETTING_NAMES } from '../../src/runtime/settings.ts'
import { buildContext, type Instruction, PINNED_IMAGE, readDockerfile } from './dockerfile.ts'

describe('the Dockerfile', () => {
  const stages = readDockerfile()
  const image = stages.at(-1)
  const all = stages.flatMap(({ instructions }) => instructions)
  const valuesOf = (name: string, from: Instruction[] = image?.instructions ?? []) =>
    from.filter((instruction) => instruction.name === name).map(({ value }) => value)

  test('every stage starts from an image with a version', () => {
    expect(stages.length).toBeGreaterThan(1)
    for (const stage of stages) expect(stage.image).toMatch(PINNED_IMAGE)
  })

  test('every file that is copied exists and reaches the build', () => {
    const copied = valuesOf('COPY', all)
      .filter((value) => !value.startsWith('--from='))
      .flatMap((value) => value.split(' ').slice(0, -1))
      .filter((path) => path !== '.')
    expect(copied.length).toBeGreaterThan(2)
    expect(copied.filter((path) => !existsSync(path) || !buildContext().includes(path))).toEqual([])
    expect(buildContext().filter((path) => !existsSync(path))).toEqual([])
  })

  test('every stage that is copied from comes before', () => {
    stages.forEach(({ instructions }, index) => {
      const earlier = stages.slice(0, index).map(({ name }) => name)
      for (const [, from] of valuesOf('COPY', instructions)
        .join('\n')
        .matchAll(/--from=(\S+)/g)) {
        expect(earlier).toContain(from)
      }
    })
  })

  test('the image runs as a user other than root, tells its health and stops by SIGTERM', () => {
    expect(valuesOf('USER')).toEqual(['node'])
    expect(valuesOf('HEALTHCHECK')).toEqual([expect.stringContaining('/health')])
    expect(valuesOf('STOPSIGNAL')).toEqual(['SIGTERM'])
    // The form without a shell: a shell as process 1 would not pass the signal on.
    expect(JSON.parse(valuesOf('ENTRYPOINT').join())).toEqual(['node', '/app/dist/main.js'])
    expect(JSON.parse(valuesOf('CMD').join())).toEqual(['serve'])
  })

  test('its settings exist, and it has labels', () => {
    const names = [
      ...valuesOf('ENV')
        .join(' ')
        .matchAll(/(HELIOGRAPH_\w+)=/g),
    ].map(([, name]) => name)
    const settings = SETTING_NAMES.map((name) => environmentName(name))
    expect(names.length).toBeGreaterThan(2)
    expect(names.filter((name) => !settings.includes(String(name)))).toEqual([])
    for (const label of ['title', 'licenses', 'version', 'revision']) {
      expect(valuesOf('LABEL').join()).toContain(`org.opencontainers.image.${label}=`)
    }
  })
})
