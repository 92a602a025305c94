// Errors that are no problems of a request: a start that failed, and codes of Node, a driver or a library, such as ENOENT.

export function errorCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error ? String(error.code) : undefined
}

// The start failed; the message tells the operator in one line what to do.
export class StartError extends Error {}

// A setting is wrong, which scripts can tell from a start that failed by its exit code.
export class SettingError extends StartError {}
