// Requests of GitHub, Gitea, Forgejo and GitLab.

const person = (login: string) => ({ login, id: 7, html_url: `https://github.com/${login}` })
const REPOSITORY = { id: 1, full_name: 'acme/rocket', html_url: 'https://github.com/acme/rocket' }
const github = (event: string, body: object) => ({
  headers: { 'x-github-event': event, 'x-github-delivery': 'd-1' },
  body: { ...body, repository: REPOSITORY, sender: person('ada') },
})

const RUN = {
  id: 55,
  name: 'Build',
  head_branch: 'main',
  display_title: 'Tighten the bolts',
  run_number: 12,
  workflow_id: 900,
  html_url: 'https://github.com/acme/rocket/actions/runs/55',
  actor: person('ada'),
}

export const workflowRun = (action: string, conclusion: string | null, more: object = {}) =>
  github('workflow_run', { action, workflow_run: { ...RUN, conclusion, ...more }, workflow: { id: 900 } })

const pull = (action: string, more: object = {}) =>
  github('pull_request', {
    action,
    number: 31,
    pull_request: {
      number: 31,
      title: 'Bigger tank',
      body: 'Holds twice as much.',
      html_url: 'https://github.com/acme/rocket/pull/31',
      merged: false,
      user: person('ada'),
      head: { ref: 'tank' },
      base: { ref: 'main' },
      ...more,
    },
  })

const commit = (message: string) => ({ id: 'c', message, url: 'https://github.com/acme/rocket/commit/c' })

const push = (more: object = {}) =>
  github('push', {
    ref: 'refs/heads/main',
    deleted: false,
    created: false,
    compare: 'https://github.com/acme/rocket/compare/a...b',
    pusher: { name: 'ada' },
    commits: [commit('Tighten the bolts\n\nAll of them.'), commit('Paint it')],
    ...more,
  })

const issue = {
  number: 8,
  title: 'It leaks',
  body: 'At the seam.',
  html_url: 'https://github.com/acme/rocket/issues/8',
}

export const GITHUB = {
  ping: github('ping', { zen: 'Design for failure.', hook_id: 1 }),
  runFailed: workflowRun('completed', 'failure'),
  runTimedOut: workflowRun('completed', 'timed_out'),
  runSucceeded: workflowRun('completed', 'success'),
  runCancelled: workflowRun('completed', 'cancelled'),
  runRequested: workflowRun('requested', null),
  suiteFailed: github('check_suite', {
    action: 'completed',
    check_suite: {
      head_branch: 'main',
      head_sha: 'abc123',
      conclusion: 'failure',
      app: { id: 3, slug: 'other-ci', name: 'Other CI' },
      head_commit: { message: 'Tighten the bolts' },
    },
  }),
  suiteOfActions: github('check_suite', {
    action: 'completed',
    check_suite: { conclusion: 'failure', app: { slug: 'github-actions' } },
  }),
  push: push(),
  pushOfTag: push({ ref: 'refs/tags/v2', commits: [] }),
  branchDeleted: push({ ref: 'refs/heads/old', deleted: true, commits: [] }),
  branchCreated: push({ ref: 'refs/heads/new', created: true, commits: [] }),
  pullOpened: pull('opened'),
  pullMerged: pull('closed', { merged: true }),
  pullLabeled: pull('labeled'),
  issueOpened: github('issues', { action: 'opened', issue }),
  issueLabeled: github('issues', { action: 'labeled', issue }),
  releasePublished: github('release', {
    action: 'published',
    release: {
      tag_name: 'v2',
      name: 'Two',
      body: '- flies',
      html_url: 'https://github.com/acme/rocket/releases/tag/v2',
    },
  }),
  releaseCreated: github('release', { action: 'created', release: { tag_name: 'v2' } }),
  star: github('star', { action: 'created', starred_at: '2026-03-01T00:00:00Z' }),
}

const GITEA_REPOSITORY = { id: 1, full_name: 'acme/rocket', html_url: 'https://git.example/acme/rocket' }

const gitea = (event: string, body: object) => ({
  headers: { 'x-gitea-event': event, 'x-gogs-event': event, 'x-github-event': event, 'x-github-delivery': 'g-1' },
  body: { ...body, repository: GITEA_REPOSITORY, sender: person('ada') },
})

export const GITEA = {
  push: gitea('push', {
    ref: 'refs/heads/main',
    compare_url: 'https://git.example/acme/rocket/compare/a...b',
    commits: [commit('Tighten the bolts')],
    total_commits: 1,
    pusher: person('ada'),
  }),
  runFailed: gitea('workflow_run', {
    action: 'completed',
    workflow: { id: 'build.yml', name: 'Build' },
    workflow_run: {
      id: 55,
      display_title: 'Tighten the bolts',
      head_branch: 'main',
      run_number: 12,
      conclusion: 'failure',
      html_url: 'https://git.example/acme/rocket/actions/runs/12',
    },
  }),
}

// Its outcome is in the name of the event.
const forgejo = (outcome: string) => ({
  headers: {
    'x-forgejo-event': `action_run_${outcome}`,
    'x-gitea-event': `action_run_${outcome}`,
    'x-github-event': `action_run_${outcome}`,
  },
  body: {
    action: outcome,
    prior_status: 'success',
    run: {
      id: 9,
      title: 'Tighten the bolts',
      workflow_id: 'build.yml',
      prettyref: 'main',
      html_url: 'https://git.example/acme/rocket/actions/runs/9',
      trigger_user: person('ada'),
      repository: GITEA_REPOSITORY,
    },
  },
})

export const FORGEJO = { failed: forgejo('failure'), recovered: forgejo('recover'), succeeded: forgejo('success') }

const PROJECT = { id: 4, path_with_namespace: 'acme/rocket', web_url: 'https://git.example/acme/rocket' }
const gitlab = (event: string, body: object) => ({
  headers: { 'x-gitlab-event': event },
  body: { project: PROJECT, user: { username: 'ada' }, ...body },
})

const pipeline = (status: string) =>
  gitlab('Pipeline Hook', {
    object_kind: 'pipeline',
    object_attributes: { id: 77, ref: 'main', status, url: 'https://git.example/acme/rocket/-/pipelines/77' },
    commit: { title: 'Tighten the bolts' },
    builds: [
      { name: 'unit', status: 'failed' },
      { name: 'lint', status: 'success' },
    ],
  })

const ticket = (kind: string, action: string, path: string, more: object = {}) =>
  gitlab('Hook', {
    object_kind: kind,
    object_attributes: {
      iid: 5,
      title: 'It leaks',
      description: 'At the seam.',
      action,
      url: `https://git.example${path}`,
      ...more,
    },
  })

export const GITLAB = {
  push: gitlab('Push Hook', {
    object_kind: 'push',
    ref: 'refs/heads/main',
    after: 'abc',
    user_username: 'ada',
    commits: [{ title: 'Tighten the bolts', url: 'https://git.example/acme/rocket/-/commit/abc' }],
    total_commits_count: 1,
  }),
  pipelineFailed: pipeline('failed'),
  pipelineSucceeded: pipeline('success'),
  pipelineRunning: pipeline('running'),
  mergeRequestOpened: ticket('merge_request', 'open', '/mr/5', { source_branch: 'tank', target_branch: 'main' }),
  mergeRequestUpdated: ticket('merge_request', 'update', '/mr/5'),
  issueOpened: ticket('issue', 'open', '/issues/5'),
  release: gitlab('Release Hook', {
    object_kind: 'release',
    action: 'create',
    name: 'Two',
    tag: 'v2',
    description: 'It flies',
    url: 'https://git.example/acme/rocket/-/releases/v2',
  }),
  wiki: gitlab('Wiki Page Hook', {
    object_kind: 'wiki_page',
    object_attributes: { action: 'create', url: 'https://git.example/wiki' },
  }),
}
