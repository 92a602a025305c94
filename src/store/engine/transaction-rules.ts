// Errors for developers whose work breaks a rule of `Database.transact`.

export const nestedTransaction = () =>
  new Error(
    'A transaction was begun inside the work of another: a deadlock on SQLite; pass `tx` on, or begin it afterwards.',
  )

export const nestedRead = () =>
  new Error('A work used `db.read`, which does not see the changes of its transaction: read through `tx`.')
