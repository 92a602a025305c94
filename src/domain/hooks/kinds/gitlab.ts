// GitLab: one rule per kind of object. Those without a rule of their own are reported by name.

import type { HookOptions } from '../hook.ts'
import { entryOf, firstLine, joined, lines, listOf, type Members, membersOf, textOf } from '../members.ts'
import type { HookDocument, HookReport } from '../message.ts'
import { ciRun, slugOf } from './ci-run.ts'

export function fromGitlab({ json }: HookDocument, options: HookOptions): HookReport {
  const payload = membersOf(json)
  const kind = textOf(payload.object_kind)
  if (kind === '') return undefined
  const attributes = membersOf(payload.object_attributes)
  const project = textOf(membersOf(payload.project).path_with_namespace)
  const action = textOf(attributes.action) || textOf(payload.action)
  const user = textOf(membersOf(payload.user).username) || textOf(payload.user_username)
  const rule = entryOf(RULES, kind) ?? otherKind
  const report = rule({ kind, action, project, user, attributes, payload, options })
  if (!report || 'dropped' in report) return report
  return { event: joined('.', kind, action), thread: project || undefined, ...report }
}

type Event = {
  kind: string
  action: string
  project: string
  user: string
  attributes: Members
  payload: Members
  options: HookOptions
}
type Rule = (event: Event) => HookReport

const RULES: Record<string, Rule> = {
  push,
  tag_push: ({ project, user, payload }) => {
    const tag = textOf(payload.ref).replace(/^refs\/tags\//, '')
    return {
      title: `${project}: tag ${tag}${isDeleted(payload) ? ' deleted' : ''}`,
      body: user,
      level: 'active',
      url: projectUrl(payload, `/-/tags/${encodeURIComponent(tag)}`),
    }
  },
  pipeline,
  build: job,
  merge_request: (event) =>
    ticket(event, { open: 'opened', reopen: 'reopened', close: 'closed', merge: 'merged', approved: 'approved' }, '!'),
  issue: (event) => ticket(event, { open: 'opened', reopen: 'reopened', close: 'closed' }, '#'),
  note: ({ project, user, attributes }) => ({
    title: `${user} commented in ${project}`,
    body: textOf(attributes.note),
    level: 'active',
    url: textOf(attributes.url),
  }),
  release: ({ action, project, payload }) =>
    action === 'create'
      ? {
          title: `${project}: release ${textOf(payload.name) || textOf(payload.tag)}`,
          body: textOf(payload.description) || textOf(payload.tag),
          level: 'active',
          url: textOf(payload.url),
        }
      : { dropped: `release ${action}` },
  deployment,
}

const isDeleted = ({ after }: Members): boolean => /^0{40,}$/.test(textOf(after))

const projectUrl = ({ project }: Members, path: string): string => {
  const base = textOf(membersOf(project).web_url)
  return base && base + path
}

const MOST_COMMITS = 10

function push({ project, user, payload }: Event): HookReport {
  const branch = textOf(payload.ref).replace(/^refs\/heads\//, '')
  const commits = listOf(payload.commits).map(membersOf)
  const count = Number(payload.total_commits_count) || commits.length
  const shown = commits.slice(-MOST_COMMITS).map(({ title, message }) => textOf(title) || firstLine(textOf(message)))
  const more = count - shown.length
  const what = isDeleted(payload) ? `branch ${branch} deleted` : `${count} commit${count === 1 ? '' : 's'} to ${branch}`
  return {
    title: `${project}: ${what}`,
    body: lines(...shown, more > 0 && `+${more}`, user),
    level: 'active',
    url: textOf(commits.at(-1)?.url) || projectUrl(payload, `/-/commits/${encodeURIComponent(branch)}`),
  }
}

function pipeline({ project, user, attributes, payload, options }: Event): HookReport {
  const [ref, status] = [textOf(attributes.ref), textOf(attributes.status)]
  const failed = listOf(payload.builds)
    .map(membersOf)
    .filter((build) => build.status === 'failed')
  return ciRun(
    {
      name: textOf(attributes.name) || 'Pipeline',
      branch: ref,
      status,
      isOver: ['success', 'failed', 'canceled', 'skipped'].includes(status),
      body: lines(
        textOf(membersOf(payload.commit).title),
        failed.length > 0 && `Failed: ${joined(', ', ...failed.slice(0, 10).map(({ name }) => textOf(name)))}`,
        joined(' · ', user, `pipeline #${textOf(attributes.id)}`, project),
      ),
      url: textOf(attributes.url) || projectUrl(payload, `/-/pipelines/${textOf(attributes.id)}`),
      collapse: `gl:${project}:pipeline:${ref}`,
      slug: slugOf('gl', project, ref),
      event: 'pipeline',
    },
    options,
  )
}

function job({ payload, user }: Event): HookReport {
  const [status, name, ref] = [textOf(payload.build_status), textOf(payload.build_name), textOf(payload.ref)]
  if (status !== 'failed' || payload.build_allow_failure === true) return { dropped: `job ${status}` }
  const project = textOf(payload.project_name)
  return {
    title: `Job ${name} failed on ${ref}`,
    body: lines(textOf(payload.build_failure_reason), joined(' · ', user, project)),
    level: 'time-sensitive',
    severity: status,
    url: projectUrl(payload, `/-/jobs/${textOf(payload.build_id)}`),
    collapse: `gl:${project}:job:${name}:${ref}`,
  }
}

// Issues and merge requests.
function ticket(
  { kind, action, project, user, attributes }: Event,
  words: Record<string, string>,
  sign: string,
): HookReport {
  const word = entryOf(words, action)
  if (!word) return { dropped: joined(' ', kind, action) }
  const iid = textOf(attributes.iid)
  const branches = joined(' → ', textOf(attributes.source_branch), textOf(attributes.target_branch))
  return {
    title: `${sign}${iid} ${word}: ${textOf(attributes.title)}`,
    body: lines(joined(' · ', user, branches, project), textOf(attributes.description)),
    level: 'active',
    url: textOf(attributes.url),
    collapse: `gl:${project}:${kind}:${iid}`,
  }
}

function deployment({ project, user, payload }: Event): HookReport {
  const [status, environment] = [textOf(payload.status), textOf(payload.environment)]
  if (status !== 'failed' && status !== 'success') return { dropped: `deployment ${status}` }
  return {
    title: `Deployment to ${environment} ${status === 'failed' ? 'failed' : 'succeeded'}`,
    body: lines(textOf(payload.commit_title), joined(' · ', user, project)),
    level: status === 'failed' ? 'time-sensitive' : 'passive',
    severity: status,
    url: textOf(payload.deployable_url) || textOf(payload.commit_url),
    collapse: `gl:${project}:deployment:${environment}`,
  }
}

const otherKind: Rule = ({ kind, action, project, user, attributes, payload }) => ({
  title: joined(' ', kind.replaceAll('_', ' '), action),
  body: lines(project, user) || kind,
  level: 'active',
  url: textOf(attributes.url) || textOf(payload.url) || projectUrl(payload, ''),
})
