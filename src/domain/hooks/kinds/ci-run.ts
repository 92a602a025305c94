// A run of CI: a failure is an alert, the next success is its end, and the run may be a live activity.
import { LIMITS } from '../../../contract/limits.ts'
import { cutText } from '../../text.ts'
import type { HookOptions } from '../hook.ts'
import { entryOf, firstLine } from '../members.ts'
import type { HookReport, HookRun } from '../message.ts'

export type CiRun = {
  name: string
  branch: string
  // How the run stands, or how it ended.
  status: string
  isOver: boolean
  body: string
  url: string
  collapse: string
  slug: string
  event: string
}

const FAILURES: Record<string, string> = {
  failure: 'failed',
  failed: 'failed',
  timed_out: 'timed out',
  startup_failure: 'could not start',
}

export function ciRun(run: CiRun, options: HookOptions): HookReport {
  const { name, branch, status, isOver, body, url, collapse } = run
  const failed = entryOf(FAILURES, status)
  const asActivity = options.as === 'activity' ? activityOf(run) : undefined
  const where = branch ? ` on ${branch}` : ''
  const common = { body: body || name, severity: status, url, event: `${run.event}.${status}`, run: asActivity }
  if (!isOver || !(failed || status === 'success')) {
    if (!asActivity) return { dropped: `${run.event} ${status}` }
    return { ...common, title: `${name} ${status}${where}`, level: 'passive', isRunOnly: true }
  }
  if (failed) {
    return { ...common, title: `${name} ${failed}${where}`, level: 'time-sensitive', state: 'firing', collapse }
  }
  const isAskedFor = options.events?.includes(`${run.event}.success`) ?? false
  return {
    ...common,
    title: `${name} ${isAskedFor ? 'succeeded' : 'fixed'}${where}`,
    level: 'passive',
    state: 'resolved',
    collapse,
    ...(!isAskedFor && { onlyAfterFiring: true as const }),
  }
}

function activityOf({ name, branch, status, isOver, body, url, slug }: CiRun): HookRun {
  const failed = entryOf(FAILURES, status)
  const state = isOver ? (failed ?? (status === 'success' ? 'succeeded' : status)) : 'running'
  const color = !isOver ? 'blue' : failed ? 'red' : status === 'success' ? 'green' : 'gray'
  return {
    slug,
    name: cutText(`${name}${branch && ` on ${branch}`}`, LIMITS.name.maxChars),
    isOver,
    content: {
      template: 'generic',
      state: `${state[0]?.toUpperCase()}${state.slice(1).replaceAll('_', ' ')}`,
      subtitle: cutText(firstLine(body), LIMITS.activity.maxTextChars),
      accent_color: color,
      url,
    },
  }
}

// The same for every run of a workflow on a branch.
export const slugOf = (...parts: string[]): string =>
  parts
    .join('-')
    .replace(/[^a-zA-Z0-9_-]+/g, '-')
    .slice(0, LIMITS.slug.maxChars)
