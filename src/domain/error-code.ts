// The code of a failure of Node, a driver or a library, such as ENOENT.
export function errorCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error ? String(error.code) : undefined
}
