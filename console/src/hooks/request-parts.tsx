// The parts of a request that can be unfolded: headers, query and body.
import type { HookRequestView } from '../../../src/contract/hooks.ts'
import { HOOK_TEXTS } from '../texts/hooks.ts'
import { byteSize } from '../ui/byte-size.ts'
import { isCut, prettyBody } from './request-body.ts'

// `isOpen`: the body is shown from the beginning.
export function RequestParts({ request, isOpen = true }: { request: HookRequestView; isOpen?: boolean }) {
  const { method, headers, query, body_encoding, body_bytes } = request
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  const head = [`${method}${query && ` ?${query}`}`, ...lines].join('\n')
  return (
    <div class="request-parts">
      <details class="raw">
        <summary>{HOOK_TEXTS.headers(lines.length)}</summary>
        <Scrolled text={head} />
      </details>
      {body_bytes === 0 ? (
        <p class="muted">{HOOK_TEXTS.noBody}</p>
      ) : (
        <details class="raw" open={isOpen}>
          <summary>{HOOK_TEXTS.body(byteSize(body_bytes))}</summary>
          {body_encoding === 'base64' && <p class="muted">{HOOK_TEXTS.binary}</p>}
          {isCut(request) && <p class="muted">{HOOK_TEXTS.cut(byteSize(body_bytes))}</p>}
          <Scrolled text={prettyBody(request)} />
        </details>
      )}
    </div>
  )
}

function Scrolled({ text }: { text: string }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard scrolls what has the focus.
    <pre tabIndex={0}>{text}</pre>
  )
}
