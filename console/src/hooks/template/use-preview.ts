// What a request would become with the template that is being edited; asked of the server, debounced after the last change.
import { useEffect, useState } from 'preact/hooks'
import type { HookPreview, HookPreviewInput, HookTemplate } from '../../../../src/contract/hooks.ts'
import { api, messageOf, violationsOf } from '../../api/client.ts'
import { type FieldErrors, parseErrors, renderErrors } from './fields.ts'

// Without a preview the template was refused: by the errors at its fields, or as the message says.
export type PreviewState = { preview?: HookPreview; errors: FieldErrors; message?: string }

const DEBOUNCE_MS = 300

export function usePreview(
  hookPath: string,
  template: HookTemplate | undefined,
  request: HookPreviewInput['request'],
): PreviewState {
  const [state, setState] = useState<PreviewState>({ errors: {} })
  const key = JSON.stringify([hookPath, template, request])
  useEffect(() => {
    if (!template) {
      setState({ errors: {} })
      return
    }
    let isCurrent = true
    const timer = setTimeout(async () => {
      const next = await askFor(hookPath, { template, request })
      if (isCurrent) setState(next)
    }, DEBOUNCE_MS)
    return () => {
      isCurrent = false
      clearTimeout(timer)
    }
  }, [key])
  return state
}

async function askFor(hookPath: string, input: HookPreviewInput): Promise<PreviewState> {
  try {
    const preview = await api.post<HookPreview>(`${hookPath}/preview`, input)
    return { preview, errors: renderErrors(preview) }
  } catch (error) {
    const errors = parseErrors(violationsOf(error))
    return { errors, message: Object.keys(errors).length === 0 ? messageOf(error) : undefined }
  }
}
