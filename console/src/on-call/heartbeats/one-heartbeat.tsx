// The page of one heartbeat: status, address with ready lines, pings and settings; pausing, a new address, deleting.
import type { HeartbeatView, PingView } from '../../../../src/contract/heartbeats.ts'
import { api, unlessMissing } from '../../api/client.ts'
import { DeleteButton, EditLink } from '../../cards/card-detail.tsx'
import { targetInWords } from '../../organizations/target.ts'
import { attempt, showToast } from '../../state/toasts.ts'
import { useLoaded } from '../../state/use-loaded.ts'
import { TEXTS } from '../../texts/base.ts'
import { ESCALATION_TEXTS } from '../../texts/escalations.ts'
import { HEARTBEAT_TEXTS } from '../../texts/heartbeats.ts'
import { Button } from '../../ui/button.tsx'
import { ConfirmButton } from '../../ui/dialog.tsx'
import { durationInWords } from '../../ui/duration.ts'
import { Facts, Missing, Waiting } from '../../ui/page.tsx'
import { Frame } from '../frame.tsx'
import { type Place, pageOf, pathOf } from '../place.ts'
import { Connect } from './connect.tsx'
import { expectedInWords } from './draft.ts'
import { HeartbeatForm } from './heartbeat-form.tsx'
import { PingTimes, REFRESH_MS } from './heartbeat-list.tsx'
import { PingList } from './ping-list.tsx'
import { StatusTag } from './status-tag.tsx'

const words = HEARTBEAT_TEXTS

type Loaded = { heartbeat: HeartbeatView; pings: PingView[] }

async function loadHeartbeat(path: string): Promise<Loaded | 'missing'> {
  const heartbeat = await unlessMissing(api.get<HeartbeatView>(path))
  if (!heartbeat) return 'missing'
  return { heartbeat, pings: (await api.get<{ items: PingView[] }>(`${path}/pings`)).items }
}

type OneHeartbeatProps = { place: Place; slug: string; isEdited: boolean }

export function OneHeartbeat({ place, slug, isEdited }: OneHeartbeatProps) {
  const path = pathOf(place, slug)
  // While it is edited, fields are not replaced.
  const live = isEdited ? {} : { on: 'heartbeat.', everyMs: REFRESH_MS }
  const { value, error, reload } = useLoaded(() => loadHeartbeat(path), { ...live, key: path })
  if (!value) return <Waiting error={error} retry={reload} />
  if (value === 'missing') return <Missing icon="heartbeat" words={words} home={place.home} />
  if (isEdited) return <HeartbeatForm place={place} heartbeat={value.heartbeat} />
  return <HeartbeatPage {...value} place={place} reload={reload} />
}

type HeartbeatPageProps = Loaded & { place: Place; reload: () => Promise<void> }

function HeartbeatPage({ heartbeat, pings, place, reload }: HeartbeatPageProps) {
  const { slug, name, status } = heartbeat
  const actions = (
    <>
      <EditLink page={pageOf(place, slug)} />
      <PauseButton {...{ heartbeat, place, reload }} />
      <RollButton {...{ heartbeat, place, reload }} />
      <DeleteButton path={pathOf(place, slug)} name={name} words={words} home={place.home} />
    </>
  )
  const connect = <Connect heartbeat={heartbeat} />
  return (
    <Frame place={place} title={name} actions={actions}>
      <p class="muted detail-facts">
        <a href={place.home}>{words.toList}</a> · <code>{slug}</code> · <PingTimes heartbeat={heartbeat} />
      </p>
      <p class="heartbeat-state" role="status">
        <StatusTag status={status} /> <span>{words.statusHints[status]}</span>
      </p>
      {status === 'new' && connect}
      <PingList pings={pings} />
      {status !== 'new' && connect}
      <section class="card section">
        <h2>{words.settings}</h2>
        <Facts rows={settingsInWords(heartbeat, place)} />
      </section>
    </Frame>
  )
}

function settingsInWords(heartbeat: HeartbeatView, { organization }: Place): [string, string][] {
  const { slug, grace_seconds, max_run_seconds = grace_seconds, level, acknowledge, url, widget, target } = heartbeat
  const rows: [string, string | false | undefined][] = [
    [words.expected, expectedInWords(heartbeat)],
    [words.grace, durationInWords(grace_seconds)],
    [words.maxRun, durationInWords(max_run_seconds)],
    [words.level, TEXTS.levels[level]],
    [words.acknowledged, acknowledge ? repeatsInWords(acknowledge.repeat_seconds) : words.once],
    [ESCALATION_TEXTS.field, acknowledge?.escalation],
    [words.link, url],
    [words.widget, widget && `hb-${slug}`],
    [words.reaches, organization && targetInWords(target)],
  ]
  return rows.filter((row): row is [string, string] => Boolean(row[1]))
}

const USUAL_REPEAT_SECONDS = 60

const repeatsInWords = (seconds = USUAL_REPEAT_SECONDS): string => words.repeatsEvery(durationInWords(seconds))

type ButtonProps = { heartbeat: HeartbeatView; place: Place; reload: () => Promise<void> }

function PauseButton({ heartbeat: { slug, name, status }, place, reload }: ButtonProps) {
  const isPaused = status === 'paused'
  const set = async (verb: 'pause' | 'resume') => {
    if (!(await attempt(() => api.post(`${pathOf(place, slug)}/${verb}`)))) return
    if (verb === 'pause') showToast(words.paused(name), 'plain', { label: TEXTS.undo, run: () => set('resume') })
    else showToast(words.resumed(name))
    await reload()
  }
  return (
    <Button icon={isPaused ? 'play' : 'pause'} onClick={() => set(isPaused ? 'resume' : 'pause')}>
      {isPaused ? words.resume : words.pause}
    </Button>
  )
}

function RollButton({ heartbeat: { slug, name }, place, reload }: ButtonProps) {
  const roll = async () => {
    await api.post(`${pathOf(place, slug)}/roll`)
    showToast(words.rolled)
    await reload()
  }
  return (
    <ConfirmButton icon="roll" text={words.roll} title={words.rollTitle(name)} work={roll}>
      {words.rollText}
    </ConfirmButton>
  )
}
