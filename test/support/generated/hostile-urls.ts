// R33: URLs that point to this machine or its network, in common disguises, or to non-HTTP services. `PORT` stands for
// the port of a listener that must not be reached.
const HOSTS = `
  127.0.0.1 127.0.0.2 127.255.255.255 127.1 127.0.1 2130706433 0x7f000001 0x7f.0x0.0x0.0x1 0x7f.1 0X7F.1
  0177.0.0.1 017700000001 0177.1 00000177.0.0.1 127.0.0.1. 127。0。0。1 １２７.０.０.１ ①②⑦.⓪.⓪.①
  %31%32%37.0.0.1 127%2e0%2e0%2e1 0 0x0 0.0.0.0 [::] [::1] [0:0:0:0:0:0:0:1] [::ffff:127.0.0.1] [::ffff:7f00:1]
  [0:0:0:0:0:ffff:7f00:0001] [::127.0.0.1] [::ffff:0:127.0.0.1] [64:ff9b::127.0.0.1] [64:ff9b::a9fe:a9fe]
  [64:ff9b:1::7f00:1] [2002:7f00:1::1] [2001:0:7f00:1::] 169.254.169.254 2852039166 0xa9fea9fe 0251.0376.0251.0376
  169.16689662 [::ffff:a9fe:a9fe] [fd00:ec2::254] [fe80::1] 100.100.100.200 168.63.129.16 192.0.0.192
  10.0.0.1 172.16.0.1 192.168.0.1 255.255.255.255 224.0.0.1 [ff02::1] [fc00::1]
`

const WHOLE_URLS = [
  'https:127.0.0.1:PORT/',
  'https:/127.0.0.1:PORT/',
  'https:\\\\127.0.0.1:PORT\\',
  ' https://127.0.0.1:PORT/ ',
  'https://127.0.\t0.1:PORT/',
  'HTTPS://127.0.0.1:PORT/',
  'https://127.0.0.1:PORT#@example.com/',
  'https://127.0.0.1:PORT?@example.com/',
  'https://127.0.0.1:PORT\\@example.com/',
  'https://127.0.0.1:PORT/a.google.com/',
  'https://@127.0.0.1:PORT/',
  'https://example.com@127.0.0.1:PORT/',
  'https://name:secret@127.0.0.1:PORT/',
  'http://127.0.0.1:PORT/',
  'http://[::1]:PORT/',
  'https://127.0.0.1:22/',
  'https://127.0.0.1:25/',
  'https://127.0.0.1:6379/',
  'https://',
  'ftp://127.0.0.1:PORT/',
  'file:///etc/passwd',
  '127.0.0.1:PORT',
]

export const HOSTILE_URLS = [
  ...HOSTS.trim()
    .split(/\s+/)
    .map((host) => `https://${host}:PORT/`),
  ...WHOLE_URLS,
]
