// The address of a heartbeat, and lines to paste into the job that pings it.
import { useState } from 'preact/hooks'
import type { HeartbeatView } from '../../../../src/contract/heartbeats.ts'
import { AddressTruth } from '../../phones/address-truth.tsx'
import { HEARTBEAT_TEXTS } from '../../texts/heartbeats.ts'
import { Copyable } from '../../ui/copy.tsx'
import { Segments } from '../../ui/field.tsx'
import { READY_LINES, TOOLS, type Tool } from './ready-lines.ts'

const { connect: words } = HEARTBEAT_TEXTS

export function Connect({ heartbeat }: { heartbeat: HeartbeatView }) {
  const { ping_url, status } = heartbeat
  const [tool, setTool] = useState<Tool>('shell')
  if (!ping_url) return <p class="note">{HEARTBEAT_TEXTS.noAddress}</p>
  return (
    <section class="card section">
      {status === 'new' && (
        <div class="hook-waiting" role="status">
          <span class="dot dot-live" />
          <p>
            <strong>{HEARTBEAT_TEXTS.waiting}</strong>
            <br />
            <span class="muted">{HEARTBEAT_TEXTS.waitingHint}</span>
          </p>
        </div>
      )}
      <h2>{HEARTBEAT_TEXTS.address}</h2>
      <p class="muted">{HEARTBEAT_TEXTS.addressText}</p>
      <Copyable text={ping_url} label={HEARTBEAT_TEXTS.address} />
      <h2>{words.title}</h2>
      <Segments
        label={words.tool}
        value={tool}
        options={TOOLS.map((one) => [one, words.tools[one]] as const)}
        onChange={setTool}
      />
      <AddressTruth address={ping_url} isFor={tool === 'github' ? 'internet' : 'program'} />
      {READY_LINES[tool]({ ...heartbeat, ping_url }).map((lines, index) => (
        <div key={words.places[tool][index]} class="curl ready-lines">
          <h3 class="tool-steps-title">{words.places[tool][index]}</h3>
          <Copyable text={lines} label={words.places[tool][index] ?? ''} />
        </div>
      ))}
    </section>
  )
}
