// JSON Merge Patch (RFC 7396): objects merge member by member, null removes, everything else replaces.

export function mergePatch(target: unknown, patch: unknown): unknown {
  if (!isObject(patch)) return patch
  const merged = isObject(target) ? { ...target } : {}
  for (const [name, change] of Object.entries(patch)) {
    if (change === null) delete merged[name]
    else setOwn(merged, name, mergePatch(Object.hasOwn(merged, name) ? merged[name] : undefined, change))
  }
  return merged
}

// An assignment to __proto__ would set the prototype.
function setOwn(target: Record<string, unknown>, name: string, value: unknown): void {
  if (name !== '__proto__') target[name] = value
  else Object.defineProperty(target, name, { value, enumerable: true, configurable: true, writable: true })
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
