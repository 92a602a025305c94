// Adds the app of another service: its password, the steps in the app, and whether it has connected.
import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import type { AppDeviceView, AppKind, DeviceView } from '../../../src/contract/devices.ts'
import { api } from '../api/client.ts'
import { attempt } from '../state/toasts.ts'
import { useLoaded } from '../state/use-loaded.ts'
import { PHONE_TEXTS } from '../texts/phones.ts'
import { Button } from '../ui/button.tsx'
import { Copyable } from '../ui/copy.tsx'
import { TextField } from '../ui/field.tsx'
import { Form } from '../ui/form.tsx'
import { lazy } from '../ui/lazy.tsx'
import { Facts } from '../ui/page.tsx'
import { AddressTruth } from './address-truth.tsx'
import { openInAppUrl } from './open-in-app-url.ts'
import { PhoneStatus } from './status.tsx'

const QrCode = lazy(async () => (await import('../ui/qr-code.tsx')).QrCode)

const MOST_NAME_CHARS = 64

export function AddApp({ app }: { app: AppKind }) {
  const [name, setName] = useState<string>(PHONE_TEXTS.suggestedName[app])
  const [added, setAdded] = useState<AppDeviceView>()
  if (added) return <AddedApp added={added} app={app} />
  const add = () =>
    attempt(async () => setAdded(await api.post<AppDeviceView>('/devices/apps', { kind: app, name: name.trim() })))
  return (
    <Form class="card form" onSubmit={add}>
      <TextField label={PHONE_TEXTS.name} value={name} onInput={setName} maxLength={MOST_NAME_CHARS} required />
      <div>
        <Button type="submit" look="primary" disabled={name.trim() === ''}>
          {PHONE_TEXTS.create}
        </Button>
      </div>
    </Form>
  )
}

function AddedApp({ added, app }: { added: AppDeviceView; app: AppKind }) {
  const { server_url: address = '', user = '', password = '', topic = '', deep_link } = added
  const steps = app === 'ntfy' ? PHONE_TEXTS.steps.ntfy(topic) : PHONE_TEXTS.steps.gotify
  const facts: [string, string][] = [
    [PHONE_TEXTS.address, address],
    [PHONE_TEXTS.user, user],
    [PHONE_TEXTS.password, password],
  ]
  if (topic) facts.push([PHONE_TEXTS.topic, topic])
  return (
    <>
      <section class="card phone-part">
        <AddressTruth address={address} />
        {deep_link && <Scan link={deep_link} />}
        <Unless isFolded={deep_link !== undefined}>
          <div class="phone-access">
            {!deep_link && (
              <div class="phone-code">
                <QrCode text={facts.map(([, text]) => text).join('\n')} label={PHONE_TEXTS.qr} />
                <p class="muted">{PHONE_TEXTS.qrHint}</p>
              </div>
            )}
            <Facts rows={facts.map(([name, text]) => [name, <Copyable key={name} text={text} label={name} />])} />
          </div>
          <ol class="phone-steps">
            {steps.map((step) => (
              <li key={step}>{step}</li>
            ))}
          </ol>
        </Unless>
        <p class="muted">{PHONE_TEXTS.once}</p>
      </section>
      <Connection device={added.device} />
    </>
  )
}

// The camera opens a page of this console, which has the button that opens the app: cameras open web addresses only.
function Scan({ link }: { link: string }) {
  return (
    <div class="phone-access">
      <div class="phone-code">
        <QrCode text={openInAppUrl(link)} label={PHONE_TEXTS.scan.qr} />
      </div>
      <ol class="phone-steps">
        {PHONE_TEXTS.scan.steps.map((step) => (
          <li key={step}>{step}</li>
        ))}
      </ol>
    </div>
  )
}

// What is typed, for phones that cannot scan.
function Unless({ isFolded, children }: { isFolded: boolean; children: ComponentChildren }) {
  if (!isFolded) return <>{children}</>
  return (
    <details class="phone-typed">
      <summary>{PHONE_TEXTS.scan.typed}</summary>
      {children}
    </details>
  )
}

// The server writes the time of the first visit, and says so by an event.
function Connection({ device }: { device: DeviceView }) {
  const { value } = useLoaded(() => api.get<{ items: DeviceView[] }>('/devices'), { on: 'device.' })
  const now = value?.items.find(({ id }) => id === device.id)
  const isConnected = now !== undefined && now.last_seen_at !== now.created_at
  return isConnected ? (
    <PhoneStatus isOn title={PHONE_TEXTS.connected(now.name)} text={PHONE_TEXTS.connectedText} />
  ) : (
    <PhoneStatus title={PHONE_TEXTS.waiting} text={PHONE_TEXTS.waitingText} />
  )
}
