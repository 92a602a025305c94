// What the first start prints: how to sign in, a command that sends a notification, and the way to a phone.
import { isLoopback } from '../runtime/setting-values.ts'
import { qrForTerminal } from './terminal-qr.ts'

type Welcome = { url: string; signInLink: string; defaultKey: string; isTerminal: boolean }

export function welcomeText({ url, signInLink, defaultKey, isTerminal }: Welcome): string {
  return `
Welcome to Heliograph. This is shown once:

  sign in       ${signInLink}
                (once, within ten minutes; "heliograph signin" prints another)
  default key   ${defaultKey}
                (for your programs, as Authorization: Bearer …)
  on a phone    ${phoneHint(url, isTerminal)}

Send your first notification:

${firstCurl(url, defaultKey)}
${isTerminal && isPhoneReachable(url) ? `\n${qrForTerminal(signInLink)}\n` : ''}`
}

function phoneHint(url: string, isTerminal: boolean): string {
  if (!isPhoneReachable(url))
    return `start with --public-url https://…; two ways to HTTPS: ${url}/docs/phones.html#https`
  return isTerminal ? 'scan the code below with its camera' : '"heliograph signin --qr" prints a code to scan'
}

const firstCurl = (url: string, key: string) =>
  `curl ${url}/notifications -H 'Authorization: Bearer ${key}' -H 'Content-Type: application/json' -d '{"title": "Hello", "body": "It works."}'`

// Whether another device can open an address: not if it names the machine itself, or all its network interfaces.
export function isPhoneReachable(url: string): boolean {
  const { hostname } = new URL(url)
  return !isLoopback(hostname) && hostname !== '0.0.0.0' && hostname !== '[::]'
}
