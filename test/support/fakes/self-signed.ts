// The certificate of the servers that tests start. Its maker is plain JavaScript, so that benchmarks can share it.
export { type SelfSigned, selfSigned } from './self-signed.mjs'
