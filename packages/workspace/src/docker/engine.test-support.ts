import { connectEngine } from "./engine.ts";

/** Base of the driver's image. */
const BASE = "debian:bookworm-slim";

/** @returns why the driver cannot be tried for real here; undefined where it can */
export async function findEngine(): Promise<string | undefined> {
  const engine = connectEngine(undefined, 5_000);
  try {
    await engine.ping();
  } catch {
    return "no Docker engine answers here; docs/testing-docker.md says how to start one";
  }
  // An engine that has to fetch gigabytes first, or cannot, is none that a test should wait for.
  try {
    await engine.getImage(BASE).inspect();
  } catch {
    return `the engine does not have ${BASE}: docker pull ${BASE}`;
  }
  return undefined;
}
