// What a phone shows after it has scanned the code of an app: a button that opens the app, subscribed. Nobody is signed in here.

import { TEXTS } from '../texts/base.ts'
import './phones.css'
import { PHONE_TEXTS } from '../texts/phones.ts'
import { Mark } from '../ui/icon.tsx'

const { openInApp: words } = PHONE_TEXTS

const STORES = [
  ['Google Play', 'https://play.google.com/store/apps/details?id=io.heckel.ntfy'],
  ['F-Droid', 'https://f-droid.org/packages/io.heckel.ntfy/'],
] as const

export function OpenInAppPage({ link }: { link: string }) {
  return (
    <main class="sign-in">
      <div class="sign-in-box">
        <Mark size={56} />
        <h1>{TEXTS.name}</h1>
        <p class="sign-in-lead">{words.lead}</p>
        <a class="button button-primary" href={link}>
          {words.open}
        </a>
        <p class="muted">{words.install}</p>
        <p class="open-in-app-stores">
          {STORES.map(([name, url]) => (
            <a key={name} href={url}>
              {name}
            </a>
          ))}
        </p>
        <p class="muted">{words.warning}</p>
      </div>
    </main>
  )
}
