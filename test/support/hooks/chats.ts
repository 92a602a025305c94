// Requests in the forms of Slack, Teams, Discord and Apprise.

export const SLACK = {
  text: { text: 'NAS: pool &lt;tank&gt; is at 91 % &amp; grows\nSee the report' },
  marks: { text: 'Deploy <https://ci.example/9|#9> by <@U1|ada> *done* :tada: <!channel>' },
  attachments: {
    username: 'Checks',
    channel: '#ops',
    attachments: [
      {
        color: 'danger',
        fallback: 'weekly-copy is DOWN',
        title: 'weekly-copy is DOWN',
        title_link: 'https://hc.example/c/1',
        text: 'No signal in time.',
        fields: [{ title: 'Project', value: 'Attic', short: true }],
        image_url: 'https://hc.example/1.png',
      },
    ],
  },
  textBesideAttachments: {
    text: 'db-1 is CRITICAL: disk, 97 %',
    attachments: [
      { color: 'danger', title: 'disk space usage', author_name: 'Netdata', text: 'disk /var', footer: 'home – db-1' },
    ],
  },
  textBesideBlocks: {
    text: 'Shop: it answers again',
    blocks: [
      { type: 'header', text: { type: 'plain_text', text: 'Shop' } },
      { type: 'section', text: { type: 'mrkdwn', text: 'It answers again' } },
    ],
  },
  titleAlone: {
    username: 'Alertmanager',
    channel: '#ops',
    attachments: [
      { color: 'danger', fallback: 'DiskFull', title: '[FIRING:1] DiskFull', title_link: 'https://alerts.example' },
    ],
  },
  fallback: { attachments: [{ color: '#2eb886', fallback: 'All is well' }] },
  blocks: {
    text: 'Shop is down',
    attachments: [
      {
        color: '#e01e5a',
        blocks: [
          { type: 'header', text: { type: 'plain_text', text: 'Shop' } },
          { type: 'section', text: { type: 'mrkdwn', text: '*Down* since <!date^1763186400^{time}|07:00>' } },
          { type: 'section', fields: [{ type: 'mrkdwn', text: '*Message*\nECONNREFUSED' }] },
          { type: 'context', elements: [{ type: 'mrkdwn', text: '_Attic_' }] },
          { type: 'divider' },
          {
            type: 'actions',
            elements: [{ type: 'button', text: { type: 'plain_text', text: 'Open' }, url: 'https://kuma.example/3' }],
          },
        ],
      },
    ],
  },
}

const text = (text: string, more: object = {}) => ({ type: 'TextBlock', text, ...more })

const teams = (body: object[], more: object = {}) => ({ type: 'AdaptiveCard', version: '1.5', body, ...more })

export const TEAMS = {
  adaptiveCard: {
    type: 'message',
    attachments: [
      {
        contentType: 'application/vnd.microsoft.card.adaptive',
        content: teams(
          [
            {
              type: 'Container',
              style: 'attention',
              items: [
                {
                  type: 'ColumnSet',
                  columns: [
                    { type: 'Column', items: [{ type: 'Image', url: 'https://kuma.example/a.png' }] },
                    { type: 'Column', items: [text('**Shop is down**', { weight: 'Bolder' }), text('Since 07:00')] },
                  ],
                },
              ],
            },
            {
              type: 'FactSet',
              facts: [
                { title: 'Monitor', value: 'Shop' },
                { title: 'Error:', value: 'ECONNREFUSED' },
              ],
            },
          ],
          { actions: [{ type: 'Action.OpenUrl', title: 'Open', url: 'https://kuma.example/3' }] },
        ),
      },
    ],
  },
  bareCard: teams([
    text('db-1 is down'),
    { type: 'RichTextBlock', inlines: ['for', { type: 'TextRun', text: '5 min' }] },
  ]),
  messageCard: {
    '@type': 'MessageCard',
    '@context': 'https://schema.org/extensions',
    themeColor: 'D70000',
    summary: 'nginx',
    title: 'nginx is out of date',
    sections: [
      {
        activityTitle: 'docker.example/nginx',
        facts: [{ name: 'Tag', value: '1.29' }],
        potentialAction: [{ '@type': 'OpenUri', targets: [{ os: 'default', uri: 'https://hub.example/nginx' }] }],
      },
    ],
  },
}

export const DISCORD = {
  oneLine: { content: 'Shop is down.' },
  content: { username: 'Kuma', content: 'Shop is down.', flags: 4096 },
  embeds: {
    username: 'Kuma',
    content: '',
    embeds: [
      {
        title: 'Shop went down',
        description: 'Details',
        url: 'https://shop.example',
        color: 0xff0000,
        image: { url: 'https://shop.example/big.png' },
        fields: [
          { name: 'Since', value: '<t:1772337600:F>' },
          { name: 'Error', value: 'ECONNREFUSED' },
        ],
      },
      { title: 'Also', description: 'The mail', color: 0x00ff00 },
    ],
  },
  author: { embeds: [{ author: { name: 'Frigate' }, description: 'Motion', color: 0xffa500 }] },
}

export const APPRISE = {
  api: { title: 'Copy', body: '**attic** finished', type: 'success', format: 'markdown', tag: 'ops' },
  json: { version: '1.0', title: '', message: 'disk is full\nof logs', attachments: [], type: 'failure' },
}
