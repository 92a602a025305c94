// Templates in threads of their own, which are ended when a template takes too long or too much memory.
import type { Log } from '../log.ts'
import { createThreads, entryBeside } from '../threads/host.ts'
import type { Failure } from '../threads/thread.ts'
import { type Fields, RENDER_MS, type Rendered, type TemplateScope } from './liquid.ts'

export type Task = { fields: Fields; scope?: TemplateScope }
export type Result = Rendered | { errors: Record<string, string> }

export type Templates = {
  // Never rejects.
  render(owner: string, fields: Fields, scope: TemplateScope): Promise<Rendered>
  // What is wrong with each template that cannot be parsed.
  check(owner: string, fields: Fields): Promise<Record<string, string>>
  close(): Promise<void>
}

const FAILURES: Record<Failure, string> = {
  'computed-too-long': `The template took too long: it may compute for ${RENDER_MS} ms.`,
  'no-answer': 'The template took too long: this machine is too busy.',
  ended: 'The template took too much memory.',
  'too-many': 'Too many templates of this account wait.',
  closed: 'The server stops.',
}

// `count`: the second thread starts when a template waits while one of another account runs.
export function createTemplates(log: Log, count = 2): Templates {
  const threads = createThreads<Task, Result>(log, {
    name: 'templates',
    entry: entryBeside(import.meta.url),
    threads: count,
    memoryMb: 64,
    deadlineMs: 10_000,
    // The library looks at its own limit between two steps of a template. One filter can take longer.
    computeMs: RENDER_MS,
  })
  const run = async (owner: string, task: Task): Promise<Result> => {
    const outcome = await threads.run(owner, task)
    return 'failure' in outcome ? { error: FAILURES[outcome.failure] } : outcome.result
  }
  return {
    async render(owner, fields, scope) {
      const result = await run(owner, { fields, scope })
      return 'errors' in result ? { error: 'The template was not rendered.' } : result
    },
    async check(owner, fields) {
      const result = await run(owner, { fields })
      return 'errors' in result ? result.errors : { template: 'error' in result ? result.error : 'cannot be parsed' }
    },
    close: threads.close,
  }
}
