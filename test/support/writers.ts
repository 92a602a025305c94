// Clients that write as fast as they are answered, and record every request and its answer. After a crash, every
// accepted write must be there, and a request without an answer must be there completely or not at all.
import { expect } from 'vitest'
import { openContext } from '../../src/boot/context.ts'
import { addUser } from '../../src/operations/accounts/accounts.ts'
import { type Environment, loadConfig } from '../../src/runtime/config.ts'
import { createLog } from '../../src/runtime/log.ts'
import { type Answer, NoAnswer, type TestClient } from './client.ts'
import { acceptedIn, type Entry, type Subject, type Writer } from './writers/log.ts'
import { organizationSends, shares } from './writers/shared-subjects.ts'
import { activities, alerts, keys, notifications, schedules, widgets } from './writers/subjects.ts'

const SUBJECTS: Record<string, Subject> = {
  widgets,
  notifications,
  alerts,
  schedules,
  activities,
  organizationSends,
  shares,
  keys,
}

export const SUBJECT_COUNT = Object.keys(SUBJECTS).length

export async function createWriters(environment: Environment, count: number): Promise<Writer[]> {
  const config = loadConfig({}, environment, 'no-such-file.json')
  const { ctx, stop } = await openContext(config, { log: createLog('silent', 'json') })
  const names = Array.from({ length: count }, () => `writer-${Math.random().toString(36).slice(2)}`)
  const accounts = await Promise.all(names.map((name) => addUser(ctx, name, 'paid')))
  await stop()
  return accounts.map(({ token }) => ({ token, entries: [] }))
}

// Gives each writer an organization with a key, and a code for the activity of the writer before it.
export async function prepareWriters(writers: Writer[], api: TestClient): Promise<void> {
  const codes = await Promise.all(
    writers.map(async (writer) => {
      const org = accepted(await api.post('/orgs', { name: 'Crew' }, writer.token)).body
      const grant = { name: 'K', permissions: { notifications: 'send' } }
      writer.orgKey = accepted(await api.post(`/orgs/${org.id}/keys`, grant, writer.token)).body.key
      accepted(await api.patch('/activities/shown?upsert=true', { state: 'ongoing' }, writer.token))
      return accepted(await api.post('/activities/shown/share', { max_uses: 100 }, writer.token)).body.code as string
    }),
  )
  for (const [index, writer] of writers.entries()) writer.joinCode = codes.at(index - 1)
}

// Writes until the server stops answering because it was killed.
export async function writeUntilKilled(writer: Writer, api: TestClient): Promise<void> {
  for (let value = 1; ; value++) {
    const entry = nextEntry(writer, value)
    if (!entry) continue
    writer.entries.push(entry)
    try {
      const subject = SUBJECTS[entry.subject] as Subject
      const answer = await subject.send(api, writer, entry)
      // On PostgreSQL, attempts to join that a kill broke off count as refused ones for a minute, also after the restart.
      if (answer.status === 429) writer.entries.pop()
      else entry.accepted = subject.read(accepted(answer), entry)
    } catch (error) {
      if (error instanceof NoAnswer) return
      throw error
    }
  }
}

export const countAccepted = ({ entries }: Writer): number => acceptedIn(entries).length

export async function expectAllAccepted(writer: Writer, api: TestClient): Promise<void> {
  for (const [name, subject] of Object.entries(SUBJECTS)) await subject.check(api, writer, logOf(writer, name))
}

function nextEntry(writer: Writer, value: number): Entry | undefined {
  const names = Object.keys(SUBJECTS)
  const subject = names[value % names.length] as string
  const next = (SUBJECTS[subject] as Subject).next(logOf(writer, subject), Math.floor(value / names.length))
  return next && { subject, value, ...next }
}

const logOf = ({ entries }: Writer, subject: string) => entries.filter((entry) => entry.subject === subject)

function accepted(answer: Answer): Answer {
  expect(answer.status, answer.text).toBeLessThan(300)
  return answer
}
