// The workflows and forms of .github, held against schemas of our own and against what they call: nothing here can run them.
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { Type } from 'typebox'
import { Value } from 'typebox/value'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'

const FOLDER = '.github/workflows'
const Texts = Type.Record(Type.String(), Type.String())
const closed = { additionalProperties: false }

const Step = Type.Object(
  {
    id: Type.Optional(Type.String()),
    // Third-party code has a version.
    uses: Type.Optional(Type.String({ pattern: '^[\\w-]+/[\\w-]+@v\\d+$' })),
    run: Type.Optional(Type.String()),
    with: Type.Optional(Type.Record(Type.String(), Type.Union([Type.String(), Type.Number(), Type.Boolean()]))),
    env: Type.Optional(Texts),
  },
  closed,
)
const Permissions = Type.Record(Type.String(), Type.Union([Type.Literal('read'), Type.Literal('write')]))
const Job = Type.Object(
  {
    if: Type.Optional(Type.String()),
    'runs-on': Type.String(),
    'timeout-minutes': Type.Integer(),
    permissions: Type.Optional(Permissions),
    strategy: Type.Optional(
      Type.Object(
        { 'fail-fast': Type.Boolean(), matrix: Type.Record(Type.String(), Type.Array(Type.Unknown())) },
        closed,
      ),
    ),
    steps: Type.Array(Step, { minItems: 1 }),
  },
  closed,
)
const Workflow = Type.Object(
  {
    name: Type.String(),
    on: Type.Object({}, { minProperties: 1 }),
    // What a job does not name, it may not do.
    permissions: Type.Object({ contents: Type.Literal('read') }, closed),
    concurrency: Type.Optional(Type.Object({ group: Type.String(), 'cancel-in-progress': Type.Boolean() }, closed)),
    jobs: Type.Record(Type.String(), Job),
  },
  closed,
)

const read = (file: string) => parse(readFileSync(file, 'utf8'))
const workflows = readdirSync(FOLDER).map((name) => ({ name, workflow: read(join(FOLDER, name)) }))
const { scripts } = JSON.parse(readFileSync('package.json', 'utf8'))

describe.each(workflows)('$name', ({ workflow }) => {
  test('has the form of a workflow, with read access unless a job names more', () => {
    expect(
      [...Value.Errors(Workflow, workflow)].map(({ instancePath, message }) => `${instancePath} ${message}`),
    ).toEqual([])
  })

  test('calls npm scripts and files that exist', () => {
    const jobs: { strategy?: { matrix: Record<string, unknown[]> }; steps: { run?: string }[] }[] = Object.values(
      workflow.jobs,
    )
    for (const { strategy, steps } of jobs) {
      const commands = steps.flatMap(({ run }) => expanded(run ?? '', strategy?.matrix ?? {}))
      for (const command of commands) {
        const script = /npm run (\S+)/.exec(command)?.[1]
        if (script) expect(Object.keys(scripts)).toContain(script)
        for (const [file] of command.matchAll(/(?:scripts|\.ci)\/[\w./-]+/g)) expect(existsSync(file), file).toBe(true)
      }
    }
  })
})

// A command for each value of the matrix.
function expanded(run: string, matrix: Record<string, unknown[]>): string[] {
  const [name, values = []] = Object.entries(matrix)[0] ?? []
  if (!run.includes(`matrix.${name} }}`)) return run ? [run] : []
  return values.map((value) => run.replace(/\$\{\{ matrix\.\w+ \}\}/, String(value)))
}

test('what CI runs can be executed, and is npm test', () => {
  expect(readFileSync('.ci/run', 'utf8')).toContain('\nnpm test\n')
  expect(statSync('.ci/run').mode & 0o111).not.toBe(0)
})

test('the workflow that publishes uses secrets only where the owner has switched it on, and files that a release makes', () => {
  const { on, jobs } = read(join(FOLDER, 'publish.yml'))
  expect(on).toEqual({ push: { tags: ['v*.*.*'] } })
  const withSecrets = Object.keys(jobs).filter((name) => JSON.stringify(jobs[name]).includes('secrets.'))
  expect(withSecrets).toEqual(['package'])
  expect(jobs.package.if).toBe("vars.NPM_SCOPE != ''")
  expect(readFileSync('scripts/release.mjs', 'utf8')).toContain("files: { type: 'boolean' }")
})

const Field = Type.Object({
  type: Type.Union(['textarea', 'input', 'dropdown'].map((type) => Type.Literal(type))),
  id: Type.String(),
  attributes: Type.Object({ label: Type.String(), options: Type.Optional(Type.Array(Type.String())) }),
})
const Form = Type.Object({ name: Type.String(), description: Type.String(), body: Type.Array(Field, { minItems: 1 }) })

test('issue forms and updates of dependencies have the form that GitHub reads', () => {
  const forms = readdirSync('.github/ISSUE_TEMPLATE').filter((name) => name !== 'config.yml')
  expect(forms.filter((name) => !Value.Check(Form, read(join('.github/ISSUE_TEMPLATE', name))))).toEqual([])
  const { version, updates } = read('.github/dependabot.yml')
  expect(version).toBe(2)
  for (const { directory } of updates) expect(existsSync(join('.', directory))).toBe(true)
})
