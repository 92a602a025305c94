// Requests in the forms of Slack, Discord and Apprise.

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

export const DISCORD = {
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
