import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createDockerDriver, type DockerDriverOptions } from "./driver.ts";
import { connectEngine } from "./engine.ts";

/** Base of the driver's image. */
const BASE = "debian:bookworm-slim";

/** Where the engine of these tests listens. */
export const ENGINE_SOCKET = (process.env.DOCKER_HOST ?? "").startsWith("unix://")
  ? process.env.DOCKER_HOST!.slice("unix://".length)
  : "/var/run/docker.sock";

/** @returns why the driver cannot be tried for real here; undefined where it can */
export async function findEngine(): Promise<string | undefined> {
  const engine = connectEngine(ENGINE_SOCKET, 5_000);
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

/** An engine that was started by hand may have no network of its own to build an image in. */
const ENGINE = {
  DOCKER_HOST: process.env.DOCKER_HOST,
  TREADLE_DOCKER_BASE: process.env.TREADLE_DOCKER_BASE,
  TREADLE_DOCKER_BUILD_NETWORK: "host",
};

/** @param options.env all of it, but for what leads to the engine: npm's own settings (`npm_config_…`) would stand before its */
export const createTestDriver = ({
  env = process.env,
  ...options
}: Omit<DockerDriverOptions, "env"> & { env?: object }) =>
  createDockerDriver({ ...options, env: { ...ENGINE, ...env } });

/**
 * For a hook before the tests: an image that has to be built is not what they time. Of several test files at once one
 * builds it and the others wait.
 */
export async function buildImage(folder: string): Promise<void> {
  mkdirSync(folder, { recursive: true });
  const held = spawn("flock", [join(tmpdir(), "treadle-test-image.lock"), "sh", "-c", "echo; cat"]);
  await once(held.stdout, "data");
  try {
    await createTestDriver({ cacheDirectory: folder }).prepareTemplates();
  } finally {
    held.stdin.end();
  }
}
/** No limit by the clock, which a busy machine would miss: the driver itself gives up a build that does not get on. */
export const BUILD_MS = 0;
