// heliograph inbox: the list, and new notifications as they arrive.
import { execFile, spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import type { ServerResponse } from 'node:http'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import { useTestApp } from '../../support/app.ts'
import { runCommand } from '../../support/cli/run-command.ts'
import { eventually } from '../../support/eventually.ts'
import { startServer } from '../../support/fakes/local-servers.ts'
import { TOKEN } from '../../support/fakes/replying-server.ts'
import { emptyFolder, launch, MAIN, watch } from '../../support/heliograph-process.ts'

const app = useTestApp()
// Runs a command on a terminal.
const hasScript = spawnSync('script', ['--version']).status === 0
const environmentOf = (token: string) => ({ HELIOGRAPH_URL: app.url, HELIOGRAPH_TOKEN: token })

describe('the list', () => {
  test('has the newest last, without control characters; filters reach the server', async () => {
    const user = await app.addUser()
    const send = (body: object) => app.post('/notifications', { body: 'B', ...body }, user.defaultKey)
    await send({ title: 'First', source: 'ci' })
    app.advanceSeconds(1)
    await send({ title: 'Se\u001b[31mcond', body: 'one\ntwo', level: 'passive', source_display_name: 'Cron' })
    const run = (...args: string[]) => runCommand(['inbox', ...args], environmentOf(user.defaultKey))
    const { code, stdout } = await run()
    const time = '\\d{4}-\\d\\d-\\d\\dT\\S+Z'
    expect(code).toBe(0)
    expect(stdout).toMatch(
      new RegExp(
        `^\\d+  First  ${time} · ci · unread\n    B\n\\d+  Se·\\[31mcond  ${time} · Cron · passive · unread\n    one\n    two\n$`,
      ),
    )
    expect((await run('--source', 'ci')).stdout).not.toContain('Cron')
    expect((await run('-n', '1')).stdout).not.toContain('First')
    expect((await run('--search', 'first', '--unread', '--level', 'active')).stdout).toContain('First')
    const listed = (await app.get('/notifications?limit=20', user.token)).body
    expect(JSON.parse((await run('--json')).stdout)).toEqual(listed)
  })

  test.runIf(hasScript)('is styled on a terminal, and not if NO_COLOR is set', async () => {
    const user = await app.addUser()
    await app.post('/notifications', { title: 'Title', body: 'B' }, user.defaultKey)
    const onTerminal = async (environment: Record<string, string>) => {
      const settings = { ...environmentOf(user.defaultKey), PATH: process.env.PATH, NODE: process.execPath, MAIN }
      const options = { env: { ...settings, TERM: 'xterm', ...environment } }
      return (await promisify(execFile)('script', ['-qec', '"$NODE" "$MAIN" inbox', '/dev/null'], options)).stdout
    }
    expect(await onTerminal({})).toContain('\u001b[1mTitle\u001b[22m')
    const plain = await onTerminal({ NO_COLOR: '1' })
    expect(plain).toContain('Title')
    expect(plain).not.toContain('\u001b')
  })

  test('a reader that leaves ends it quietly', async () => {
    const user = await app.addUser()
    for (let i = 0; i < 30; i++)
      await app.post('/notifications', { title: 'T', body: 'x'.repeat(4000) }, user.defaultKey)
    const env = { ...environmentOf(user.token), PATH: process.env.PATH, NODE: process.execPath, MAIN }
    const script = '{ "$NODE" "$MAIN" inbox -n 30 --follow; echo "exit $?" >&2; } | head -c 1'
    const { stdout, stderr } = await promisify(execFile)('/bin/sh', ['-c', script], { env })
    expect([stdout.length, stderr]).toEqual([1, 'exit 0\n'])
  })
})

describe('--exec', () => {
  test('runs for what arrives, in order, with the fields in the environment and never in the command', async () => {
    const user = await app.addUser()
    const send = (title: string, body = 'B') => app.post('/notifications', { title, body }, user.defaultKey)
    await send('before')
    // Ends for the first one when the second has arrived, and fails, which must not stop the second.
    const bothArrived = join(emptyFolder(), 'arrived')
    const command = `test "$NOTIFICATION_TITLE" = after || until test -e "$ARRIVED"; do sleep 0.05; done
      echo "<$NOTIFICATION_TITLE|$NOTIFICATION_BODY|$NOTIFICATION_LEVEL>"; test "$NOTIFICATION_TITLE" = after`
    const child = launch([MAIN, 'inbox', '--json', '--exec', command], {
      environment: { ...environmentOf(user.token), PATH: process.env.PATH, ARRIVED: bothArrived },
    })
    const { ended, seen } = watch(child)
    await eventually(() => expect(seen.stdout).toContain('"before"'))
    const hostile = '$(echo run) `echo run` "; exit 9; \'*'
    const { id } = (await send(hostile, 'two\nlines')).body
    await send('after')
    await eventually(() => expect(seen.stdout).toContain('"after"'))
    writeFileSync(bothArrived, '')
    await eventually(() => expect(seen.stdout).toContain('<after|'))
    const printed = seen.stdout.replace(/^\{.*\}\n/gm, '')
    expect(printed).toBe(`<${hostile}|two\nlines|active>\n<after|B|active>\n`)
    expect(seen.stderr).toBe(`heliograph: the command for notification ${id} ended with 1\n`)
    child.kill('SIGINT')
    await ended
  })
})

describe('--follow', () => {
  test('prints what there is and what arrives, that matches', async () => {
    const user = await app.addUser()
    const send = (title: string, source: string) =>
      app.post('/notifications', { title, body: 'B', source }, user.defaultKey)
    await send('before', 'ci')
    const follow = [MAIN, 'inbox', '--follow', '--json', '--source', 'ci']
    const child = launch(follow, { environment: environmentOf(user.token) })
    const { ended, seen } = watch(child)
    const titles = () =>
      seen.stdout
        .trimEnd()
        .split('\n')
        .map((line) => line && JSON.parse(line).title)
    await eventually(() => expect(titles()).toEqual(['before']))
    await send('other', 'cron')
    await send('after', 'ci')
    await eventually(() => expect(titles()).toEqual(['before', 'after']))
    child.kill('SIGINT')
    expect(await ended).toMatchObject({ signal: 'SIGINT', stderr: '' })
  })

  test('resumes after the last event when the connection breaks, and reads the list after a reset', async () => {
    const message = (id: number, type = 'notification.created') =>
      `id: ${id}\nevent: ${type}\ndata: ${JSON.stringify({ id, type, data: notification(id) })}\n\n`
    const notification = (id: number) => ({ id, title: `n${id}`, body: 'B', level: 'active', created_at: 'now' })
    const streams = [
      (response: ServerResponse) => response.write(`: connected\n\n${message(2)}${message(3, 'widget.updated')}`),
      (response: ServerResponse) => response.write(`${message(4)}id: 9\nevent: reset\ndata: {}\n\n`),
    ]
    const resumedAfter: unknown[] = []
    let lists = 0
    const { url, breakConnections } = await startServer((request, response) => {
      if (request.url?.startsWith('/notifications')) {
        const items = [1, 2, 4, 8].slice(0, ++lists === 1 ? 1 : 4).map(notification)
        return response.end(JSON.stringify({ items: items.toReversed(), has_more: false }))
      }
      resumedAfter.push(request.headers['last-event-id'])
      response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' })
      streams[resumedAfter.length - 1]?.(response)
    })
    const environment = { HELIOGRAPH_URL: url, HELIOGRAPH_TOKEN: TOKEN }
    const child = launch([MAIN, 'inbox', '-f', '--json'], { environment })
    const { ended, seen } = watch(child)
    const titles = () => [...seen.stdout.matchAll(/"title":"(\w+)"/g)].map(([, title]) => title)
    await eventually(() => expect(titles()).toEqual(['n1', 'n2']))
    breakConnections()
    await eventually(() => expect(titles()).toEqual(['n1', 'n2', 'n4', 'n8']))
    expect(resumedAfter).toEqual([undefined, '3'])
    child.kill('SIGTERM')
    expect((await ended).stderr).toBe('heliograph: connection lost; trying again in 1 s\nheliograph: connected again\n')
  })

  test('3 for a key, which cannot read the event stream; 6 for another server', async () => {
    const user = await app.addUser()
    const follow = (environment: Record<string, string>) => runCommand(['inbox', '--follow'], environment)
    expect(await follow(environmentOf(user.defaultKey))).toMatchObject({ code: 3, stdout: '' })
    const { url } = await startServer((_request, response) => response.end('{"items": []}'))
    expect(await follow({ HELIOGRAPH_URL: url, HELIOGRAPH_TOKEN: TOKEN })).toMatchObject({ code: 6 })
  })
})
