// The devices of the account, with the outcome of the last push to each.
import { useState } from 'preact/hooks'
import { useLocation } from 'preact-iso'
import type { DeviceView } from '../../../src/contract/devices.ts'
import type { SentNotificationView } from '../../../src/contract/notifications/notification.ts'
import { api } from '../api/client.ts'
import { AddThisBrowser } from '../devices/add-this-browser.tsx'
import { neverConnected } from '../devices/connected.ts'
import { DeviceForm } from '../devices/device-form.tsx'
import { decryptedView } from '../inbox/decryption.ts'
import { Delivery } from '../inbox/delivery.tsx'
import { pushErrorInWords, resultOf } from '../inbox/device-delivery.ts'
import { ADD_PHONE } from '../phones/paths.ts'
import { canPush, removeThisBrowser, thisDeviceId } from '../state/this-browser.ts'
import { attempt } from '../state/toasts.ts'
import { useLoaded } from '../state/use-loaded.ts'
import { TEXTS } from '../texts/base.ts'
import { PHONE_TEXTS } from '../texts/phones.ts'
import { SETUP_TEXTS } from '../texts/setup.ts'
import { Button, ButtonLink } from '../ui/button.tsx'
import { ConfirmButton } from '../ui/dialog.tsx'
import { Icon } from '../ui/icon.tsx'
import { lazy } from '../ui/lazy.tsx'
import { CardList, Page } from '../ui/page.tsx'
import { Ago } from '../ui/time.tsx'

type Loaded = { devices: DeviceView[]; ownId?: string }

async function loadDevices(): Promise<Loaded> {
  const [{ items }, ownId] = await Promise.all([api.get<{ items: DeviceView[] }>('/devices'), thisDeviceId()])
  return { devices: items, ownId }
}

const AddPhonePage = lazy(async () => (await import('../phones/add-phone.tsx')).AddPhonePage)

export function DevicesPage() {
  const { path } = useLocation()
  return path === ADD_PHONE ? <AddPhonePage /> : <Devices />
}

function Devices() {
  const list = useLoaded(loadDevices, { on: 'device.' })
  const { value, reload } = list
  const [test, setTest] = useState<SentNotificationView>()
  const isHere = value?.devices.some(({ id }) => id === value.ownId) ?? false
  return (
    <Page
      title={TEXTS.nav.devices}
      intro={SETUP_TEXTS.devices.intro}
      actions={
        <>
          {value && value.devices.length > 0 && <SendTest onSent={setTest} />}
          <ButtonLink look="primary" icon="plus" href={ADD_PHONE}>
            {PHONE_TEXTS.open}
          </ButtonLink>
        </>
      }
    >
      {test && <TestResult key={test.id} test={test} />}
      {value && !isHere && <ThisBrowser onAdded={reload} />}
      <CardList loaded={list} items={value?.devices} icon="device" words={SETUP_TEXTS.devices}>
        {(device) => (
          <DeviceCard key={device.id} device={device} isOwn={device.id === value?.ownId} onChange={reload} />
        )}
      </CardList>
    </Page>
  )
}

// Sends a test notification to all devices.
function SendTest({ onSent }: { onSent: (test: SentNotificationView) => void }) {
  const { testTitle: title, testBody: body, test } = SETUP_TEXTS.devices
  const message = { title, body, source: 'console', source_display_name: TEXTS.name }
  const send = async () => onSent(await api.post<SentNotificationView>('/notifications', message))
  return (
    <Button icon="bell" onClick={() => attempt(send)}>
      {test}
    </Button>
  )
}

// What became of the test on each device.
function TestResult({ test }: { test: SentNotificationView }) {
  return (
    <section class="card test-result" aria-label={SETUP_TEXTS.devices.test}>
      <Delivery
        notification={decryptedView(test)}
        summary={(deliveries) => SETUP_TEXTS.devices.testResults[resultOf(deliveries)]}
      />
    </section>
  )
}

function ThisBrowser({ onAdded }: { onAdded: () => Promise<void> }) {
  const { devices: words } = SETUP_TEXTS
  if (!canPush()) return <AddThisBrowser onAdded={onAdded} />
  return (
    <section class="card this-browser">
      <span class="this-browser-icon">
        <Icon name="bell" size={24} />
      </span>
      <div>
        <h2>{words.thisBrowser}</h2>
        <p class="muted">{words.thisBrowserText}</p>
      </div>
      <AddThisBrowser onAdded={onAdded} />
    </section>
  )
}

// Of a phone with the Bark app: whether pushes go there, and another phone that asks to take its place.
function AppLinkState({ device: { id, connected, host, pending }, onChange }: Omit<DeviceCardProps, 'isOwn'>) {
  const { bark } = PHONE_TEXTS
  const path = `/devices/${encodeURIComponent(id)}`
  const ask = (action: string, body: object = {}) =>
    attempt(async () => {
      await api.post(`${path}/${action}`, body)
      await onChange()
    })
  return (
    <>
      {host && <p class="muted">{bark.through(host)}</p>}
      {pending && (
        <p>
          {bark.pending(pending.from)}{' '}
          <Button size="small" onClick={() => ask('approve', { pending_id: pending.id })}>
            {bark.allow}
          </Button>
        </p>
      )}
      {connected === false && (
        <p>
          {bark.notConnected}{' '}
          <Button size="small" onClick={() => ask('retry')}>
            {bark.retry}
          </Button>
        </p>
      )}
    </>
  )
}

type DeviceCardProps = { device: DeviceView; isOwn: boolean; onChange: () => Promise<void> }

function DeviceCard({ device, isOwn, onChange }: DeviceCardProps) {
  const { id, name, platform, channel, last_push_at, last_push_error, last_seen_at, tags } = device
  const [isEdited, setEdited] = useState(false)
  const isMissing = neverConnected(device)
  const remove = async () => {
    await (isOwn ? removeThisBrowser() : api.delete(`/devices/${encodeURIComponent(id)}`))
    await onChange()
  }
  return (
    <li class="card device-card">
      <div class="card-head">
        <Icon name={platform === 'web' || platform === 'macos' ? 'computer' : 'device'} size={22} />
        <h2>{name}</h2>
        {isOwn && <span class="tag">{SETUP_TEXTS.devices.isThis}</span>}
        {tags.map((tag) => (
          <span key={tag} class="tag tag-plain">
            {tag}
          </span>
        ))}
      </div>
      <p class="muted card-facts">
        {SETUP_TEXTS.platforms[platform]} · {SETUP_TEXTS.channels[channel]} ·{' '}
        {isMissing ? (
          SETUP_TEXTS.devices.neverConnected
        ) : (
          <>
            {SETUP_TEXTS.devices.seen} <Ago at={last_seen_at} />
          </>
        )}
      </p>
      <AppLinkState device={device} onChange={onChange} />
      {isMissing && (
        <p class="note">
          <Icon name="clock" size={18} />
          <span>
            {SETUP_TEXTS.devices.waitingFor(name)} <a href={ADD_PHONE}>{SETUP_TEXTS.devices.howToConnect}</a>
          </span>
        </p>
      )}
      {last_push_error ? (
        <p class="note note-bad">
          <Icon name="alert" size={18} />
          <span>
            {pushErrorInWords(last_push_error)}
            {last_push_at && (
              <span class="device-tried">
                {SETUP_TEXTS.devices.tried} <Ago at={last_push_at} />
              </span>
            )}
          </span>
        </p>
      ) : (
        last_push_at && (
          <p class="muted card-facts">
            {SETUP_TEXTS.devices.pushed} <Ago at={last_push_at} />
          </p>
        )
      )}
      <div class="card-actions">
        <Button size="small" icon="edit" onClick={() => setEdited(true)}>
          {TEXTS.edit}
        </Button>
        <ConfirmButton
          size="small"
          look="danger"
          icon="trash"
          text={SETUP_TEXTS.devices.remove}
          title={SETUP_TEXTS.devices.removeTitle(name)}
          work={remove}
        >
          {SETUP_TEXTS.devices.removeText}
        </ConfirmButton>
      </div>
      {isEdited && <DeviceForm device={device} onClose={() => setEdited(false)} onChange={onChange} />}
    </li>
  )
}
