// The three kinds of address that people open the console at. Only the first is unreachable from other machines; only the first and
// the last have what browsers keep for secure contexts.
import { onTestFinished } from 'vitest'
import { startTestApp, type TestApp } from '../app.ts'
import { startTlsProxy } from '../fakes/tls-proxy.ts'
import { HOME_HOST, PUBLIC_HOST } from './browser.ts'

// The server, which for some addresses is one of its own, and where a browser opens it.
export type OpenAt = { app: TestApp; origin: string }
export type Address = { name: string; open: (shared: TestApp) => OpenAt | Promise<OpenAt> }

export const LOOPBACK: Address = {
  name: 'the loopback address',
  open: (app) => ({ app, origin: app.url }),
}

export const HOME: Address = {
  name: 'a plain-HTTP address of the home network',
  open: (app) => ({ app, origin: app.url.replace('127.0.0.1', HOME_HOST) }),
}

export const PUBLIC: Address = {
  name: 'a public HTTPS address',
  async open() {
    const proxy = await startTlsProxy(PUBLIC_HOST)
    const app = await startTestApp({ HELIOGRAPH_PUBLIC_URL: proxy.url, HELIOGRAPH_TRUST_PROXY: '127.0.0.1' })
    onTestFinished(() => app.stop())
    proxy.passTo(app.url)
    return { app, origin: proxy.url }
  },
}
