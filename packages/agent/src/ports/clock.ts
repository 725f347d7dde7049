/** Injectable, so that tests need not wait. Durations are measured with a monotonic clock. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}
