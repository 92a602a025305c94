// The certificate of servers that tests start. The implementation is plain JavaScript, shared with the benchmarks.
export { type SelfSigned, selfSigned } from './self-signed.mjs'
