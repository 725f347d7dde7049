/** What an operator measures of a server. */
export type { AnsweredRequest } from "./metrics.ts";
export { openTelemetry, type Telemetry } from "./open-telemetry.ts";
export { readTelemetrySettings, type TelemetrySettings } from "./settings.ts";
