// The types of charts.mjs, for its test.
export function drawCharts(results: object): Record<string, string>
