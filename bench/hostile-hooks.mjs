// The most expensive known requests to webhooks, for bench/hostile.mjs.

const ALMOST_1_MB = 1_000_000

// Creates the hooks with the key of the attacker.
export async function hookAttacks(url, key) {
  const auto = await createHook(url, key, { kind: 'auto' })
  const request = ({ path }, type, body) => ({ head: `POST ${path} HTTP/1.1\r\ncontent-type: ${type}`, body })
  const json = (body) => request(auto, 'application/json', JSON.stringify(body))
  const templates = await Promise.all(
    SLOW_TEMPLATES.map((body) => createHook(url, key, { kind: 'template', template: { body } })),
  )
  return [
    { name: 'hook: marks of Slack', requests: [json({ text: '<!x>'.repeat(200_000) })] },
    { name: 'hook: times of Discord', requests: [json({ content: '<t:99999999999:F>'.repeat(50_000) })] },
    {
      name: 'hook: 20,000 values',
      requests: [json(Object.fromEntries(Array.from({ length: 9_900 }, (_, n) => [`key ${n}`, [n]])))],
    },
    { name: 'hook: brackets', requests: [request(auto, 'application/json', '['.repeat(ALMOST_1_MB))] },
    { name: 'hook: control characters', requests: [request(auto, 'text/plain', '\u0001'.repeat(ALMOST_1_MB))] },
    {
      name: 'hook: 250,000 fields of a form',
      requests: [request(auto, 'application/x-www-form-urlencoded', 'a=b&'.repeat(ALMOST_1_MB / 4))],
    },
    {
      name: 'hook: a form in parts',
      requests: [
        request(
          auto,
          'multipart/form-data; boundary=x',
          `${'--x\r\nContent-Disposition: form-data; name="a"\r\n\r\nb\r\n'.repeat(900)}--x--\r\n`,
        ),
      ],
    },
    {
      name: 'hook: slow templates',
      requests: templates.map((hook) =>
        request(hook, 'application/json', JSON.stringify({ text: 'a,'.repeat(400_000), list: [{ a: 1 }] })),
      ),
    },
    {
      name: 'hook: kept requests',
      requests: [{ head: `GET ${auto.id}/requests HTTP/1.1\r\nauthorization: Bearer ${key}` }],
    },
  ]
}

const SLOW_TEMPLATES = [
  '{% for i in (1..1000000) %}{% for j in (1..1000000) %}{{ j }}{% endfor %}{% endfor %}',
  '{% assign s = "ab" %}{% for i in (1..60) %}{% assign s = s | append: s %}{% endfor %}{{ s }}',
  '{{ (1..3900000) | join: "," | size }}',
  '{{ body.text | split: "," | sort_natural | join: "" | size }}',
  '{{ body.text | slugify | size }}',
]

async function createHook(url, key, hook) {
  const answer = await fetch(`${url}/integrations/hooks`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'attack', ...hook }),
  })
  if (answer.status !== 201) throw new Error(`creating a hook was answered ${answer.status}`)
  const created = await answer.json()
  return { path: new URL(created.url).pathname, id: `/integrations/hooks/${created.id}` }
}
