// Activities that were answered on this page. They keep their place in the list, although an answer ends them, so that the
// person sees the answer where the question was.
import { signal } from '@preact/signals'

export const answeredHere = signal<ReadonlySet<string>>(new Set())

export function noteAnswered(id: string): void {
  answeredHere.value = new Set([...answeredHere.value, id])
}

export function forgetAnswered(): void {
  answeredHere.value = new Set()
}
