// Templates of ntfy, which make a message of a JSON document such as the webhook of another service.
import type { NtfyMessage, NtfyPublication } from '../../../domain/doors/ntfy/publication.ts'
import { NtfyRefusal } from '../../../domain/doors/ntfy/refusal.ts'

// This server has none.
export function renderTemplate({ name }: NonNullable<NtfyPublication['template']>, _message: NtfyMessage): NtfyMessage {
  throw new NtfyRefusal(40047, name.slice(0, 64))
}
