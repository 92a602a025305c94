// Values stored in this browser (IndexedDB), shared by the pages and the service worker. None of them grants access to
// the account: the session's token is in a cookie that scripts cannot read.

import type { EnvelopeKey } from '../../../clients/typescript/envelope.ts'
import type { AccountView } from '../../../src/contract/accounts/account.ts'
import type { NotificationView } from '../../../src/contract/notifications/notification.ts'
import type { Language } from '../language.ts'

export type StoredValues = {
  'device-id': string
  'envelope-key': EnvelopeKey
  'last-inbox': NotificationView[]
  'last-account': AccountView
  // For the service worker, which cannot read localStorage.
  language: Language
}

const STORE = 'values'

export async function storeValue<Name extends keyof StoredValues>(
  name: Name,
  value: StoredValues[Name],
): Promise<void> {
  await inStore('readwrite', (store) => store.put(value, name))
}

export async function readValue<Name extends keyof StoredValues>(name: Name): Promise<StoredValues[Name] | undefined> {
  return inStore('readonly', (store) => store.get(name) as IDBRequest<StoredValues[Name] | undefined>)
}

export async function deleteValues(...names: (keyof StoredValues)[]): Promise<void> {
  for (const name of names) await inStore('readwrite', (store) => store.delete(name))
}

async function inStore<Result>(
  mode: IDBTransactionMode,
  work: (store: IDBObjectStore) => IDBRequest<Result>,
): Promise<Result> {
  const database = await open()
  try {
    return await resultOf(work(database.transaction(STORE, mode).objectStore(STORE)))
  } finally {
    database.close()
  }
}

function open(): Promise<IDBDatabase> {
  const request = indexedDB.open('heliograph', 1)
  request.onupgradeneeded = () => request.result.createObjectStore(STORE)
  return resultOf(request)
}

function resultOf<Result>(request: IDBRequest<Result>): Promise<Result> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error)
  })
}
