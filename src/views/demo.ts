// A demonstration as clients see it.
import type { DemoView } from '../contract/demo.ts'
import { DEMO_SCRIPT, DEMO_SECONDS, DEMO_SEQUENCES, type Demo } from '../domain/demo.ts'

export const demoView = ({ id, mode }: Demo): DemoView => ({
  demo_id: id,
  mode,
  sequences: DEMO_SEQUENCES,
  total_steps: DEMO_SCRIPT.length,
  estimated_duration_ms: DEMO_SECONDS * 1000,
})
