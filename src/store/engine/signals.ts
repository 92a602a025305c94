// Hints that something changed, sent after the commit. A hint may be lost, so listeners poll as well.

export type Signals = {
  // Returns the function that ends the subscription.
  subscribe(topic: string, listener: () => void): () => void
  publish(topics: Iterable<string>): void
}

export function createSignals(): Signals {
  const listeners = new Map<string, Set<() => void>>()
  return {
    subscribe(topic, listener) {
      const known = listeners.get(topic) ?? new Set()
      listeners.set(topic, known.add(listener))
      return () => {
        known.delete(listener)
        if (known.size === 0 && listeners.get(topic) === known) listeners.delete(topic)
      }
    },
    publish(topics) {
      for (const topic of topics) {
        for (const listener of [...(listeners.get(topic) ?? [])]) listener()
      }
    },
  }
}
