// GitHub, and Gitea and Forgejo, which send its events: one rule per event. Those without a rule of their own are reported by name.

import type { HookOptions } from '../hook.ts'
import { entryOf, firstLine, joined, lines, listOf, type Members, membersOf, textOf } from '../members.ts'
import type { HookDocument, HookMessage, HookReport } from '../message.ts'
import { ciRun, slugOf } from './ci-run.ts'

export function fromGithub({ headers, json }: HookDocument, options: HookOptions): HookReport {
  const payload = membersOf(json)
  const event = EVENT_HEADERS.map((name) => headers[name]).find(Boolean) ?? guessEvent(payload)
  if (event === undefined || Object.keys(payload).length === 0) return undefined
  const action = textOf(payload.action)
  const repo = repoOf(payload) || repoOf(membersOf(payload.run))
  const read = entryOf(RULES, event) ?? otherEvent
  const report = read({ event, action, repo, payload, options })
  if (!report || 'dropped' in report) return report
  return { event: joined('.', event, action), thread: repo || undefined, ...report }
}

const EVENT_HEADERS = ['x-github-event', 'x-gitea-event', 'x-forgejo-event']

const repoOf = ({ repository }: Members): string => textOf(membersOf(repository).full_name)

// Whether a document without headers is of Gitea or Forgejo: GitHub gives every repository a node.
export const isOfGitea = (payload: Members): boolean =>
  guessEvent(payload)?.startsWith('action_run_') === true ||
  (login(payload.sender) !== '' && repoOf(payload) !== '' && !('node_id' in membersOf(payload.repository)))

// For documents without headers, such as those at the door for ntfy.
function guessEvent(payload: Members): string | undefined {
  if (repoOf(membersOf(payload.run)) !== '') return `action_run_${textOf(payload.action)}`
  if (repoOf(payload) === '') return undefined
  if ('zen' in payload) return 'ping'
  if ('pusher' in payload && 'ref' in payload) return 'push'
  const objects = ['workflow_run', 'check_suite', 'release', 'pull_request', 'issue']
  const found = objects.find((name) => name in payload)
  return found === 'issue' ? ('comment' in payload ? 'issue_comment' : 'issues') : (found ?? 'event')
}

type Event = { event: string; action: string; repo: string; payload: Members; options: HookOptions }
type Rule = (event: Event) => HookReport

const RULES: Record<string, Rule> = {
  ping: ({ repo, payload }) => ({
    title: 'Webhook connected',
    body: lines(repo, textOf(payload.zen)),
    level: 'passive',
    url: textOf(membersOf(payload.repository).html_url),
  }),
  workflow_run: workflowRun,
  check_suite: checkSuite,
  action_run_failure: actionRun,
  action_run_recover: actionRun,
  action_run_success: actionRun,
  push,
  pull_request: pullRequest,
  issues,
  release: ({ action, repo, payload }) => {
    const release = membersOf(payload.release)
    if (action !== 'published') return { dropped: `release ${action}` }
    return {
      title: `${repo}: release ${textOf(release.name) || textOf(release.tag_name)}`,
      body: textOf(release.body) || textOf(release.tag_name),
      level: 'active',
      url: textOf(release.html_url),
    }
  },
}

const login = (user: unknown): string => textOf(membersOf(user).login)

function workflowRun({ action, repo, payload, options }: Event): HookReport {
  const run = membersOf(payload.workflow_run)
  const branch = textOf(run.head_branch)
  const name = textOf(run.name) || textOf(membersOf(payload.workflow).name)
  const workflow = textOf(run.workflow_id) || name
  return ciRun(
    {
      name: name || 'CI',
      branch,
      status: action === 'completed' ? textOf(run.conclusion) : action,
      isOver: action === 'completed',
      body: lines(
        textOf(run.display_title),
        joined(' · ', login(run.actor), textOf(run.run_number) && `run #${textOf(run.run_number)}`, repo),
      ),
      url: textOf(run.html_url),
      collapse: `gh:${repo}:wf:${workflow}:${branch}`,
      slug: slugOf('gh', repo, workflow, branch),
      event: 'workflow_run',
    },
    options,
  )
}

// The run of Forgejo's own CI, whose event says how it ended.
function actionRun({ event, repo, payload, options }: Event): HookReport {
  const run = membersOf(payload.run)
  const [workflow, branch] = [textOf(run.workflow_id), textOf(run.prettyref)]
  return ciRun(
    {
      name: workflow || 'CI',
      branch,
      status: event === 'action_run_failure' ? 'failure' : 'success',
      isOver: true,
      body: lines(textOf(run.title), joined(' · ', login(run.trigger_user), repo)),
      url: textOf(run.html_url),
      collapse: `gh:${repo}:wf:${workflow}:${branch}`,
      slug: slugOf('gh', repo, workflow, branch),
      event: 'workflow_run',
    },
    options,
  )
}

// Those of GitHub Actions are reported as workflow runs.
function checkSuite({ action, repo, payload, options }: Event): HookReport {
  const suite = membersOf(payload.check_suite)
  const app = membersOf(suite.app)
  if (action !== 'completed') return { dropped: `check_suite ${action}` }
  if (textOf(app.slug) === 'github-actions') return { dropped: 'check_suite of GitHub Actions' }
  const branch = textOf(suite.head_branch)
  return ciRun(
    {
      name: textOf(app.name) || 'Checks',
      branch,
      status: textOf(suite.conclusion),
      isOver: true,
      body: lines(firstLine(textOf(membersOf(suite.head_commit).message)), repo),
      url: `https://github.com/${repo}/commit/${textOf(suite.head_sha)}/checks`,
      collapse: `gh:${repo}:cs:${textOf(app.id)}:${branch}`,
      slug: slugOf('gh', repo, textOf(app.slug), branch),
      event: 'check_suite',
    },
    options,
  )
}

const MOST_COMMITS = 10

function push({ repo, payload }: Event): HookReport {
  const ref = textOf(payload.ref)
  const name = ref.replace(/^refs\/(?:heads|tags)\//, '')
  const what = ref.startsWith('refs/tags/') ? 'Tag' : 'Branch'
  const pusher = textOf(membersOf(payload.pusher).name) || login(payload.sender)
  const url = textOf(payload.compare) || textOf(payload.compare_url)
  const message = (title: string, body: string): HookMessage => ({
    title: `${repo}: ${title}`,
    body,
    level: 'active',
    url,
  })
  if (payload.deleted === true) return message(`${what.toLowerCase()} ${name} deleted`, pusher)
  if (what === 'Tag') return message(`tag ${name}`, pusher)
  const commits = listOf(payload.commits).map(membersOf)
  if (commits.length === 0) return message(`branch ${name} ${payload.created === true ? 'created' : 'moved'}`, pusher)
  const shown = commits.slice(0, MOST_COMMITS).map((commit) => firstLine(textOf(commit.message)))
  const more = commits.length - shown.length
  const count = `${commits.length} commit${commits.length === 1 ? '' : 's'}`
  return message(`${count} to ${name}`, lines(...shown, more > 0 && `+${more}`, pusher))
}

const PULL_REQUEST_ACTIONS: Record<string, string> = {
  opened: 'opened',
  reopened: 'reopened',
  ready_for_review: 'ready for review',
  closed: 'closed',
  review_requested: 'review requested',
}

function pullRequest({ action, repo, payload }: Event): HookReport {
  const pull = membersOf(payload.pull_request)
  const word = pull.merged === true && action === 'closed' ? 'merged' : entryOf(PULL_REQUEST_ACTIONS, action)
  if (!word) return { dropped: `pull_request ${action}` }
  const number = textOf(pull.number) || textOf(payload.number)
  const branches = joined(' → ', textOf(membersOf(pull.head).ref), textOf(membersOf(pull.base).ref))
  return {
    title: `#${number} ${word}: ${textOf(pull.title)}`,
    body: lines(joined(' · ', login(payload.sender) || login(pull.user), branches, repo), textOf(pull.body)),
    level: 'active',
    url: textOf(pull.html_url),
    collapse: `gh:${repo}:pr:${number}`,
  }
}

const ISSUE_ACTIONS = ['opened', 'closed', 'reopened', 'assigned']

function issues({ action, repo, payload }: Event): HookReport {
  const issue = membersOf(payload.issue)
  if (!ISSUE_ACTIONS.includes(action)) return { dropped: `issues ${action}` }
  const number = textOf(issue.number)
  return {
    title: `Issue #${number} ${action}: ${textOf(issue.title)}`,
    body: lines(joined(' · ', login(payload.sender) || login(issue.user), repo), textOf(issue.body)),
    level: 'active',
    url: textOf(issue.html_url),
    collapse: `gh:${repo}:issue:${number}`,
  }
}

function otherEvent({ event, action, repo, payload }: Event): HookReport {
  // The object of the event comes before its repository and its sender.
  const objects = Object.values(payload).map(membersOf)
  const url = objects.map((one) => textOf(one.html_url)).find(Boolean)
  return {
    title: joined(' ', event, action),
    body: lines(repo, login(payload.sender)) || event,
    level: 'active',
    url,
  }
}
