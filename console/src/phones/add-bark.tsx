// Adds the Bark app of an iPhone: through the server whose address the app shows, or with an address of this server.
import { useState } from 'preact/hooks'
import type { AppDeviceView } from '../../../src/contract/devices.ts'
import { api } from '../api/client.ts'
import { attempt } from '../state/toasts.ts'
import { useLoaded } from '../state/use-loaded.ts'
import { PHONE_TEXTS } from '../texts/phones.ts'
import { Button } from '../ui/button.tsx'
import { Copyable } from '../ui/copy.tsx'
import { Segments, TextField } from '../ui/field.tsx'
import { Form } from '../ui/form.tsx'
import { lazy } from '../ui/lazy.tsx'
import { AddressTruth } from './address-truth.tsx'
import { PhoneStatus } from './status.tsx'

const QrCode = lazy(async () => (await import('../ui/qr-code.tsx')).QrCode)

const MOST_NAME_CHARS = 64
const { bark: TEXTS } = PHONE_TEXTS

type Way = 'server' | 'direct'

export function AddBark() {
  const [name, setName] = useState<string>(TEXTS.suggestedName)
  const [way, setWay] = useState<Way>('server')
  const [address, setAddress] = useState('')
  const [isEncrypted, setEncrypted] = useState<'on' | 'off'>('on')
  const [added, setAdded] = useState<AppDeviceView>()
  if (added) return <AddedBark added={added} />
  const add = () =>
    attempt(async () => {
      const input = { kind: 'bark', name: name.trim(), encrypt: isEncrypted === 'on' }
      const body = way === 'server' ? { ...input, address: address.trim() } : input
      setAdded(await api.post<AppDeviceView>('/devices/apps', body))
    })
  return (
    <Form class="card form" onSubmit={add}>
      <TextField label={PHONE_TEXTS.name} value={name} onInput={setName} maxLength={MOST_NAME_CHARS} required />
      <Segments
        label={TEXTS.way}
        value={way}
        options={Object.entries(TEXTS.ways) as [Way, string][]}
        onChange={setWay}
      />
      {way === 'server' && <TextField label={TEXTS.address} value={address} onInput={setAddress} required />}
      <p class="muted">{TEXTS.wayTexts[way]}</p>
      <Segments
        label={TEXTS.encryption}
        value={isEncrypted}
        options={Object.entries(TEXTS.encryptions) as ['on' | 'off', string][]}
        onChange={setEncrypted}
      />
      <div>
        <Button type="submit" look="primary" disabled={name.trim() === ''}>
          {TEXTS.create}
        </Button>
      </div>
    </Form>
  )
}

function AddedBark({ added }: { added: AppDeviceView }) {
  const { server_url: address, encryption_key: key, device } = added
  return (
    <>
      <section class="card phone-part">
        {address && <AddressTruth address={address} />}
        {address && <QrCode text={address} label={TEXTS.qr} />}
        {address && <Copyable text={address} label={TEXTS.server} />}
        {key && <Copyable text={key} label={TEXTS.key} />}
        {key && <p>{TEXTS.keyText}</p>}
        {address && <p class="muted">{TEXTS.once}</p>}
      </section>
      <Connection id={device.id} />
    </>
  )
}

function Connection({ id }: { id: string }) {
  const { value } = useLoaded(() => api.get<{ items: AppDeviceView['device'][] }>('/devices'), { on: 'device.' })
  const now = value?.items.find((device) => device.id === id)
  return now?.connected ? (
    <PhoneStatus isOn title={PHONE_TEXTS.connected(now.name)} text={PHONE_TEXTS.connectedText} />
  ) : (
    <PhoneStatus title={PHONE_TEXTS.waiting} text={TEXTS.waiting} />
  )
}
