// What requests of GitHub, Gitea, Forgejo and GitLab become.
import { describe, expect, test } from 'vitest'
import { readReport } from '../../../../src/domain/hooks/kinds.ts'
import { FORGEJO, GITEA, GITHUB, GITLAB } from '../../../support/hooks/code.ts'
import { become, type Row, read, type Sample } from '../../../support/hooks/reading.ts'

const REPO = 'acme/rocket'
const RUN_URL = 'https://github.com/acme/rocket/actions/runs/55'
const RUN_BODY = 'Tighten the bolts\nada · run #12 · acme/rocket'
const COMPARE = 'https://github.com/acme/rocket/compare/a...b'
const PULL_BODY = 'ada · tank → main · acme/rocket\nHolds twice as much.'

const GITEA_RUN = 'https://git.example/acme/rocket/actions/runs/12'
const FORGEJO_RUN = 'https://git.example/acme/rocket/actions/runs/9'
const GITEA_COMPARE = 'https://git.example/acme/rocket/compare/a...b'

const CODE_ROWS: Row[] = [
  ...[GITEA.push, { body: GITEA.push.body }].map(
    (sample): Row => [
      'gitea',
      sample,
      'acme/rocket: 1 commit to main',
      'Tighten the bolts\nada',
      'active',
      REPO,
      GITEA_COMPARE,
    ],
  ),
  ...[GITEA.runFailed, { body: GITEA.runFailed.body }].map(
    (sample): Row => [
      'gitea',
      sample,
      'Build failed on main',
      'Tighten the bolts\nrun #12 · acme/rocket',
      'time-sensitive',
      REPO,
      GITEA_RUN,
    ],
  ),
  ...[FORGEJO.failed, { body: FORGEJO.failed.body }].map(
    (sample): Row => [
      'gitea',
      sample,
      'build.yml failed on main',
      'Tighten the bolts\nada · acme/rocket',
      'time-sensitive',
      REPO,
      FORGEJO_RUN,
    ],
  ),
  [
    'gitea',
    FORGEJO.recovered,
    'build.yml fixed on main',
    'Tighten the bolts\nada · acme/rocket',
    'passive',
    REPO,
    FORGEJO_RUN,
  ],
  [
    'github',
    GITHUB.ping,
    'Webhook connected',
    'acme/rocket\nDesign for failure.',
    'passive',
    REPO,
    'https://github.com/acme/rocket',
  ],
  ['github', GITHUB.runFailed, 'Build failed on main', RUN_BODY, 'time-sensitive', REPO, RUN_URL],
  ['github', GITHUB.runTimedOut, 'Build timed out on main', RUN_BODY, 'time-sensitive', REPO, RUN_URL],
  ['github', GITHUB.runSucceeded, 'Build fixed on main', RUN_BODY, 'passive', REPO, RUN_URL],
  [
    'github',
    GITHUB.suiteFailed,
    'Other CI failed on main',
    'Tighten the bolts\nacme/rocket',
    'time-sensitive',
    REPO,
    'https://github.com/acme/rocket/commit/abc123/checks',
  ],
  [
    'github',
    GITHUB.push,
    'acme/rocket: 2 commits to main',
    'Tighten the bolts\nPaint it\nada',
    'active',
    REPO,
    COMPARE,
  ],
  ['github', GITHUB.pushOfTag, 'acme/rocket: tag v2', 'ada', 'active', REPO, COMPARE],
  ['github', GITHUB.branchDeleted, 'acme/rocket: branch old deleted', 'ada', 'active', REPO, COMPARE],
  ['github', GITHUB.branchCreated, 'acme/rocket: branch new created', 'ada', 'active', REPO, COMPARE],
  [
    'github',
    GITHUB.pullOpened,
    '#31 opened: Bigger tank',
    PULL_BODY,
    'active',
    REPO,
    'https://github.com/acme/rocket/pull/31',
  ],
  [
    'github',
    GITHUB.pullMerged,
    '#31 merged: Bigger tank',
    PULL_BODY,
    'active',
    REPO,
    'https://github.com/acme/rocket/pull/31',
  ],
  [
    'github',
    GITHUB.issueOpened,
    'Issue #8 opened: It leaks',
    'ada · acme/rocket\nAt the seam.',
    'active',
    REPO,
    'https://github.com/acme/rocket/issues/8',
  ],
  [
    'github',
    GITHUB.releasePublished,
    'acme/rocket: release Two',
    '- flies',
    'active',
    REPO,
    'https://github.com/acme/rocket/releases/tag/v2',
  ],
  ['github', GITHUB.star, 'star created', 'acme/rocket\nada', 'active', REPO, 'https://github.com/acme/rocket'],
  [
    'gitlab',
    GITLAB.push,
    'acme/rocket: 1 commit to main',
    'Tighten the bolts\nada',
    'active',
    REPO,
    'https://git.example/acme/rocket/-/commit/abc',
  ],
  [
    'gitlab',
    GITLAB.pipelineFailed,
    'Pipeline failed on main',
    'Tighten the bolts\nFailed: unit\nada · pipeline #77 · acme/rocket',
    'time-sensitive',
    REPO,
    'https://git.example/acme/rocket/-/pipelines/77',
  ],
  [
    'gitlab',
    GITLAB.mergeRequestOpened,
    '!5 opened: It leaks',
    'ada · tank → main · acme/rocket\nAt the seam.',
    'active',
    REPO,
    'https://git.example/mr/5',
  ],
  [
    'gitlab',
    GITLAB.issueOpened,
    '#5 opened: It leaks',
    'ada · acme/rocket\nAt the seam.',
    'active',
    REPO,
    'https://git.example/issues/5',
  ],
  [
    'gitlab',
    GITLAB.release,
    'acme/rocket: release Two',
    'It flies',
    'active',
    REPO,
    'https://git.example/acme/rocket/-/releases/v2',
  ],
  ['gitlab', GITLAB.wiki, 'wiki page create', 'acme/rocket\nada', 'active', REPO, 'https://git.example/wiki'],
]

test.each(CODE_ROWS)('%s %#: $2', async (kind, sample, title, body, level, thread, url) => {
  const notification = await become(sample)
  expect(notification).toMatchObject({ kind, title, body, level, thread_id: thread })
  expect((notification as { url?: string }).url).toBe(url)
})

describe('dropped', () => {
  test.each([
    ['workflow_run cancelled', GITHUB.runCancelled],
    ['workflow_run requested', GITHUB.runRequested],
    ['check_suite of GitHub Actions', GITHUB.suiteOfActions],
    ['pull_request labeled', GITHUB.pullLabeled],
    ['issues labeled', GITHUB.issueLabeled],
    ['release created', GITHUB.releaseCreated],
    ['pipeline running', GITLAB.pipelineRunning],
    ['merge_request update', GITLAB.mergeRequestUpdated],
  ])('%s', async (dropped, sample) => {
    expect(await become(sample)).toMatchObject({ dropped })
  })
})

test('as: activity shows the run from its beginning to its end', async () => {
  const runOf = async (sample: Sample) => {
    const report = readReport('github', await read(sample.body, sample.headers), { as: 'activity' })
    return 'dropped' in report ? report : report.run
  }
  const slug = 'gh-acme-rocket-900-main'
  expect(await runOf(GITHUB.runRequested)).toMatchObject({
    slug,
    name: 'Build on main',
    isOver: false,
    content: { state: 'Running' },
  })
  expect(await runOf(GITHUB.runFailed)).toMatchObject({
    slug,
    isOver: true,
    content: { state: 'Failed', accent_color: 'red' },
  })
  expect(await runOf(GITHUB.runCancelled)).toMatchObject({ slug, isOver: true, content: { state: 'Cancelled' } })
})
