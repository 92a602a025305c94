// For Safari on an iPhone or iPad, where only web apps on the home screen receive pushes: how to install the console, and a
// sign-in link for it, because it does not share the session of Safari.
import './phones.css'
import { useEffect, useState } from 'preact/hooks'
import type { NewSignInLink } from '../../../src/contract/accounts/session.ts'
import { api } from '../api/client.ts'
import { attempt } from '../state/toasts.ts'
import { PHONE_TEXTS } from '../texts/phones.ts'
import { Copyable } from '../ui/copy.tsx'
import { PictureSteps } from './step-picture.tsx'

export function InstallGuide() {
  const [url, setUrl] = useState<string>()
  const make = async () => setUrl((await api.post<NewSignInLink>('/auth/links')).url)
  useEffect(() => void attempt(make), [])
  return (
    <section class="card phone-part">
      <h2>{PHONE_TEXTS.install.title}</h2>
      <p class="muted">{PHONE_TEXTS.install.text}</p>
      {url && <Copyable text={url} label={PHONE_TEXTS.signInLink} />}
      <PictureSteps steps={PHONE_TEXTS.install.steps} />
    </section>
  )
}
