// Requests to publish, in the manner of the examples of ntfy's documentation, and the notification that each becomes.

export type Example = {
  name: string
  method?: string
  path: string
  headers?: Record<string, string>
  body?: string
  notification: Record<string, unknown>
}

// Stands for an id that the server makes.
export const ID_OF_ACTION = 'id of an action'

const topic = (name: string) => ({ source: name, source_display_name: name, thread_id: `ntfy:${name}` })

export const EXAMPLES: Example[] = [
  {
    name: 'curl -d',
    path: '/backups',
    body: 'Backup of the laptop is done 😀',
    notification: { ...topic('backups'), title: 'backups', body: 'Backup of the laptop is done 😀', level: 'active' },
  },
  {
    name: 'PUT with a title, a priority and tags',
    method: 'PUT',
    path: '/alarm',
    headers: { Title: 'Somebody is at the door', Priority: 'urgent', Tags: 'warning,skull,front-door' },
    body: 'Camera 2 sees a person.',
    notification: { title: '⚠️ 💀 Somebody is at the door', body: 'Camera 2 sees a person.', level: 'critical' },
  },
  {
    name: 'a title with umlauts in UTF-8',
    path: '/t',
    headers: { 'X-Title': 'Grüße' },
    body: 'x',
    notification: { title: 'Grüße' },
  },
  {
    name: 'a title in an encoded word',
    path: '/t',
    headers: { 'X-Title': '=?UTF-8?B?R3LDvMOfZQ==?=' },
    body: 'x',
    notification: { title: 'Grüße' },
  },
  { name: 'priority 1', path: '/t', headers: { p: '1' }, body: 'x', notification: { level: 'passive' } },
  { name: 'priority low', path: '/t', headers: { prio: 'low' }, body: 'x', notification: { level: 'passive' } },
  { name: 'priority high', path: '/t?priority=high', body: 'x', notification: { level: 'time-sensitive' } },
  {
    name: 'the header Priority that Cloudflare adds',
    path: '/t',
    headers: { Priority: 'u=1, i' },
    body: 'x',
    notification: { level: 'active' },
  },
  {
    name: 'markdown by header',
    path: '/t',
    headers: { Markdown: 'yes' },
    body: '**bold**',
    notification: { body: '**bold**', format: 'markdown' },
  },
  {
    name: 'markdown by media type',
    path: '/t',
    headers: { 'Content-Type': 'text/markdown' },
    body: '*x*',
    notification: { format: 'markdown' },
  },
  {
    name: 'a message in the query, by GET',
    method: 'GET',
    path: '/t/publish?message=Mail+is+there&title=Post&tags=mailbox_with_mail',
    notification: { title: '📬 Post', body: 'Mail is there' },
  },
  { name: 'GET /trigger without a message', method: 'GET', path: '/t/trigger', notification: { body: 'triggered' } },
  { name: 'GET /send', method: 'GET', path: '/t/send?m=x', notification: { body: 'x' } },
  {
    name: 'an empty body with a query, as Sonarr sends it',
    path: '/t?title=Grabbed&message=S01E01&priority=3&tags=tv&click=https%3A%2F%2Fsonarr.example%2F1',
    body: '',
    notification: { title: '📺 Grabbed', body: 'S01E01', url: 'https://sonarr.example/1' },
  },
  {
    name: 'a message in a header, with line breaks as \\n',
    path: '/t',
    headers: { 'X-Message': 'first\\nsecond' },
    notification: { body: 'first\nsecond' },
  },
  {
    name: 'a click address and an icon',
    path: '/t',
    headers: { Click: 'https://a.example/1', Icon: 'https://a.example/icon.png' },
    body: 'x',
    notification: { url: 'https://a.example/1', icon_url: 'https://a.example/icon.png' },
  },
  {
    name: 'a click address that is no web page',
    path: '/t',
    headers: { Click: 'mailto:ada@example.org' },
    body: 'x',
    notification: { url: 'mailto:ada@example.org' },
  },
  {
    name: 'a javascript: address, which is left out',
    path: '/t',
    headers: { Click: 'javascript:alert(1)', Actions: 'view, Run, javascript:alert(1)' },
    body: 'x',
    notification: { url: undefined, actions: undefined },
  },
  {
    name: 'a picture by its address',
    path: '/t',
    headers: { Attach: 'https://a.example/cam/flower.jpg' },
    body: 'A flower',
    notification: { body: 'A flower', media_url: 'https://a.example/cam/flower.jpg', media_type: 'image' },
  },
  {
    name: 'a file by its address, without a text',
    path: '/t',
    headers: { Attach: 'https://a.example/app.apk', Filename: 'new.apk' },
    notification: {
      body: 'triggered',
      actions: [{ id: 'attachment', title: 'Open new.apk', url: 'https://a.example/app.apk', foreground: true }],
    },
  },
  {
    name: 'buttons',
    path: '/t',
    headers: {
      Actions:
        'view, Open portal, https://home.example/; http, Turn down, https://api.example/, body={"t":65}; broadcast, Photo',
    },
    body: 'You left the house. Turn down the A/C?',
    notification: {
      actions: [
        { id: ID_OF_ACTION, title: 'Open portal', url: 'https://home.example/', foreground: true },
        { id: ID_OF_ACTION, title: 'Turn down', url: 'https://api.example/', method: 'POST', body: '{"t":65}' },
      ],
    },
  },
  {
    name: 'white space around the message',
    path: '/t',
    body: '  x \n',
    notification: { body: 'x' },
  },
]

export const JSON_EXAMPLES: { name: string; body: object; headers?: Record<string, string>; notification: object }[] = [
  {
    name: 'every member',
    body: {
      topic: 'disks',
      title: 'Low disk space',
      message: 'Only 5.1 GB left on nas-1',
      tags: ['warning', 'cd', 'nas'],
      priority: 4,
      attach: 'https://files.example/space.jpg',
      filename: 'diskspace.jpg',
      click: 'https://nas.example/xyz',
      actions: [{ action: 'view', label: 'Admin', url: 'https://nas.example/admin' }],
      markdown: true,
      sequence_id: 'disk-nas1',
    },
    notification: {
      ...topic('disks'),
      title: '⚠️ 💿 Low disk space',
      body: 'Only 5.1 GB left on nas-1',
      level: 'time-sensitive',
      media_url: 'https://files.example/space.jpg',
      url: 'https://nas.example/xyz',
      actions: [{ id: ID_OF_ACTION, title: 'Admin', url: 'https://nas.example/admin', foreground: true }],
      format: 'markdown',
    },
  },
  {
    name: 'null for everything that is not set, as Home Assistant sends it',
    body: {
      topic: 'ha',
      message: 'x',
      title: null,
      priority: null,
      tags: null,
      click: null,
      icon: null,
      actions: null,
      attach: null,
      filename: null,
      markdown: null,
      delay: null,
      email: null,
      call: null,
      sequence_id: null,
    },
    notification: { title: 'ha', body: 'x', level: 'active' },
  },
  {
    name: 'headers beside the JSON, as Apprise sends them',
    body: { topic: 'apprise', title: 'T', message: 'M' },
    headers: { 'X-Priority': 'high', 'X-Tags': 'tada', 'X-Click': 'https://a.example', 'X-Title': 'not this' },
    notification: { title: '🎉 T', level: 'time-sensitive', url: 'https://a.example' },
  },
  {
    name: 'a priority in quotes, and characters beyond Latin-1',
    body: { topic: 't', title: 'Ночь', message: '夜', priority: '5' },
    notification: { title: 'Ночь', body: '夜', level: 'critical' },
  },
  { name: 'nothing but the topic', body: { topic: 't' }, notification: { title: 't', body: 'triggered' } },
]
