// action.yml, run as GitHub's runner does: expressions evaluated into environment variables, then the steps in bash. npx fetches
// the command line from the server; there is no registry.
import { execFile, spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { useTestApp } from '../support/app.ts'
import { eventually } from '../support/eventually.ts'
import { NOBODY } from '../support/fakes/replying-server.ts'
import { emptyFolder } from '../support/heliograph-process.ts'
import { isNightly } from '../support/nightly.ts'

type Action = {
  inputs: Record<string, { required?: boolean; default?: string }>
  outputs: Record<string, { value: string }>
  runs: { using: string; steps: { id: string; shell: string; run: string; env: Record<string, string> }[] }
}

const app = useTestApp()
const action: Action = parse(readFileSync('action.yml', 'utf8'))
const hasBash = spawnSync('bash', ['--version']).status === 0

// What the runner knows in a job of a branch whose name is hostile.
const CONTEXT: Record<string, string> = {
  'github.action_path': resolve('.'),
  'github.workflow': 'CI',
  'github.repository': 'octo/shop',
  'github.ref_name': '$(touch pwned)"; touch pwned; "',
  'github.job': 'build',
  'github.run_id': '77',
  'github.server_url': 'https://github.com',
  'job.status': 'failure',
}

function evaluate(text: string, inputs: Record<string, string>): string {
  return text.replaceAll(/\$\{\{ (\S+) \}\}/g, (_, name: string) => {
    const value = name.startsWith('inputs.') ? inputs[name.slice('inputs.'.length)] : CONTEXT[name]
    if (value === undefined) throw new Error(`the runner knows no ${name}`)
    return value
  })
}

async function runAction(given: Record<string, string>) {
  const inputs = Object.fromEntries(
    Object.entries(action.inputs).map(([name, input]) => [name, given[name] ?? evaluate(input.default ?? '', {})]),
  )
  const folder = emptyFolder()
  const output = join(folder, 'output')
  writeFileSync(output, '')
  const [step] = action.runs.steps
  const env = Object.fromEntries(Object.entries(step?.env ?? {}).map(([name, text]) => [name, evaluate(text, inputs)]))
  const npm = { npm_config_registry: NOBODY, npm_config_update_notifier: 'false', npm_config_fetch_retries: '0' }
  const done = await new Promise<{ code: number; stdout: string }>((end) => {
    execFile(
      'bash',
      ['--noprofile', '--norc', '-eo', 'pipefail', '-c', step?.run ?? ''],
      { cwd: folder, env: { ...env, ...npm, PATH: process.env.PATH, HOME: folder, GITHUB_OUTPUT: output } },
      (error, stdout) => end({ code: Number(error?.code ?? 0), stdout }),
    )
  })
  expect(spawnSync('ls', [folder], { encoding: 'utf8' }).stdout).not.toContain('pwned')
  return { ...done, output: readFileSync(output, 'utf8') }
}

test.skipIf(!hasBash)('a failure is notified with a link to the run', async () => {
  const { token, defaultKey } = await app.addUser()
  const command = { command: 'notify', url: app.url, token: defaultKey, level: 'time-sensitive' }
  expect(await runAction(command)).toMatchObject({ code: 0 })
  expect((await app.get('/notifications', token)).body.items).toMatchObject([
    {
      title: 'CI',
      body: `octo/shop · ${CONTEXT['github.ref_name']} · build`,
      level: 'time-sensitive',
      url: 'https://github.com/octo/shop/actions/runs/77',
    },
  ])
})

test.skipIf(!hasBash)('a job is an activity that ends with its status', async () => {
  const { token } = await app.addUser()
  await runAction({ command: 'start', url: app.url, token })
  expect((await app.get('/activities/run-77', token)).body).toMatchObject({ state: 'ongoing', name: 'CI' })
  await runAction({ command: 'end', url: app.url, token })
  expect((await app.get('/activities/run-77', token)).body).toMatchObject({
    state: 'ended',
    content: { state: 'Failure' },
  })
})

const REJECT = ['reject', 1] as const

test.skipIf(!hasBash).each(isNightly ? [['approve', 0] as const, REJECT] : [REJECT])(
  'the answer %s is an output and ends the step with %i',
  async (answer, code) => {
    const { token } = await app.addUser()
    const asked = runAction({ command: 'ask', url: app.url, token, title: 'Deploy?' })
    const [question] = await eventually(async () => {
      const { items } = (await app.get('/notifications', token)).body
      expect(items).toHaveLength(1)
      return items
    })
    await app.post(`/notifications/${question.id}/answer`, { action_id: answer }, token)
    expect(await asked).toMatchObject({ code, output: `answer=${answer}\n` })
  },
)

test.skipIf(!hasBash)('a server that is not there warns, and does not fail the job', async () => {
  const { code, stdout } = await runAction({ command: 'notify', url: 'http://127.0.0.1:2', token: 'hlk_x' })
  expect([code, stdout]).toEqual([0, expect.stringContaining('::warning')])
})

test('the action is a composite one whose outputs are those of its step', () => {
  expect(action.runs.using).toBe('composite')
  expect(action.outputs.answer?.value).toBe(`\${{ steps.${action.runs.steps[0]?.id}.outputs.answer }}`)
})
