// One key: what it may do, and when it was used.
import './keys.css'
import type { KeyView } from '../../../src/contract/keys/keys.ts'
import { stormInWords } from '../on-call/storm.tsx'
import { TEXTS } from '../texts/base.ts'
import { SETUP_TEXTS } from '../texts/setup.ts'
import { Button } from '../ui/button.tsx'
import { Ago, Moment } from '../ui/time.tsx'
import { ALL_RESOURCES, wordsForKey } from './levels.ts'
import { lastUseOf } from './load.ts'

type KeyCardProps = {
  apiKey: KeyView
  // Whom a key of an organization reaches.
  reach: string | undefined
  onAction: (what: 'edit' | 'doors' | 'roll' | 'revoke') => void
}

export function KeyCard({ apiKey, reach, onAction }: KeyCardProps) {
  const { name, is_default } = apiKey
  return (
    <li class="card key-card">
      <div class="card-head">
        <h2>{name}</h2>
        {is_default && <span class="tag">{SETUP_TEXTS.keys.isDefault}</span>}
      </div>
      <ul class="grants">
        {ALL_RESOURCES.map((resource) => (
          <Grant key={resource} words={wordsForKey(apiKey, resource)} />
        ))}
        <Grant words={reach} />
        <Grant words={stormInWords(apiKey.storm)} />
      </ul>
      <KeyTimes apiKey={apiKey} />
      <div class="card-actions">
        {!is_default && (
          <Button size="small" icon="edit" onClick={() => onAction('edit')}>
            {TEXTS.edit}
          </Button>
        )}
        {apiKey.permissions.notifications !== 'none' && (
          <Button size="small" icon="inbox" onClick={() => onAction('doors')}>
            {SETUP_TEXTS.keys.doors.open}
          </Button>
        )}
        <Button size="small" icon="roll" onClick={() => onAction('roll')}>
          {SETUP_TEXTS.keys.roll}
        </Button>
        <Button size="small" icon="trash" onClick={() => onAction('revoke')}>
          {SETUP_TEXTS.keys.revoke}
        </Button>
      </div>
    </li>
  )
}

function Grant({ words }: { words: string | undefined }) {
  return words === undefined ? null : <li>{words}</li>
}

function KeyTimes({ apiKey }: { apiKey: KeyView }) {
  const { created_at, expires_at } = apiKey
  const usedAt = lastUseOf(apiKey)
  return (
    <p class="muted card-facts">
      {usedAt ? (
        <>
          {SETUP_TEXTS.keys.lastUsed} <Ago at={usedAt} />
        </>
      ) : (
        SETUP_TEXTS.keys.neverUsed
      )}
      {' · '}
      {SETUP_TEXTS.keys.made} <Ago at={created_at} />
      {expires_at && (
        <>
          {' · '}
          {SETUP_TEXTS.keys.expires} <Moment at={expires_at} />
        </>
      )}
    </p>
  )
}
