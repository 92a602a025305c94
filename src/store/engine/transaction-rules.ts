// What a work must not do, said to the developer whose work does it.

export const nestedTransaction = () =>
  new Error(
    'A transaction was begun inside the work of another, which would wait for it for ever: pass `tx` on, or begin it after.',
  )

export const nestedRead = () =>
  new Error('The work of a transaction read past it, and would not see its own changes: read through `tx`.')
