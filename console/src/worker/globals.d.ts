// Defined at build time by scripts/build-console.mjs.
declare const SHELL_FILES: string[]
declare const SHELL_VERSION: string
