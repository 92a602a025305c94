// Files that are sent to ntfy in the body of a request.
import type { Caller } from '../../../domain/caller.ts'
import type { NtfyMessage, NtfyPublication } from '../../../domain/doors/ntfy/publication.ts'
import { NtfyRefusal } from '../../../domain/doors/ntfy/refusal.ts'
import type { Context } from '../../context.ts'

// This server keeps no files.
export async function keepUpload(
  _ctx: Context,
  _caller: Caller,
  _message: NtfyMessage,
  _upload: NonNullable<NtfyPublication['upload']>,
): Promise<NtfyMessage> {
  throw new NtfyRefusal(40014)
}
