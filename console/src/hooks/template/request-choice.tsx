// The request that a template is tried out with: one of the kept ones, or an example that the person writes.
import type { HookPreviewInput, HookRequestView } from '../../../../src/contract/hooks.ts'
import { HOOK_TEXTS } from '../../texts/hooks.ts'
import { CodeArea, SelectField } from '../../ui/field.tsx'
import { clockTime } from '../../ui/time.tsx'
import { isCut, parsedDocument } from '../request-body.ts'
import { RequestParts } from '../request-parts.tsx'

const words = HOOK_TEXTS.template

export const EXAMPLE = 'example'
export const EXAMPLE_BODY = JSON.stringify({ title: 'Front door', message: 'Somebody has rung the bell.' }, null, 2)

// As the preview of the API takes it.
export const requestOf = (chosen: string, example: string): HookPreviewInput['request'] =>
  chosen === EXAMPLE ? (parsedDocument(example) ?? example) : Number(chosen)

// The body of it, if that is JSON.
export function documentOf(requests: HookRequestView[], chosen: string, example: string): object | undefined {
  if (chosen === EXAMPLE) return parsedDocument(example)
  const request = requests.find(({ number }) => String(number) === chosen)
  return request && !isCut(request) ? parsedDocument(request.body) : undefined
}

type RequestChoiceProps = {
  requests: HookRequestView[]
  // The number of a request, or EXAMPLE.
  chosen: string
  example: string
  onChoose: (chosen: string) => void
  onExample: (body: string) => void
}

export function RequestChoice({ requests, chosen, example, onChoose, onExample }: RequestChoiceProps) {
  const options = requests
    .filter((request) => !isCut(request))
    .map(({ number, received_at }) => [String(number), nameOf(number, received_at)] as const)
  const request = requests.find(({ number }) => String(number) === chosen)
  return (
    <section class="card section" aria-label={words.request}>
      <SelectField
        label={words.with}
        value={chosen}
        options={[...options, [EXAMPLE, words.example]]}
        onChange={onChoose}
      />
      {request ? (
        <RequestParts request={request} />
      ) : (
        <CodeArea label={words.exampleBody} value={example} rows={8} onInput={onExample} />
      )}
    </section>
  )
}

const nameOf = (number: number, at: string): string =>
  `${HOOK_TEXTS.request(number)}, ${clockTime.format(new Date(at))}`
