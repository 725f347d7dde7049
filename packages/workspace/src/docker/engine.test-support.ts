import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createDockerDriver, type DockerDriverOptions } from "./driver.ts";
import { connectEngine } from "./engine.ts";

/** Base image of the driver's image. */
const BASE = "debian:bookworm-slim";

/** The engine's socket in these tests. */
export const ENGINE_SOCKET = (process.env.DOCKER_HOST ?? "").startsWith("unix://")
  ? process.env.DOCKER_HOST!.slice("unix://".length)
  : "/var/run/docker.sock";

/** @returns why the driver cannot be tested here; undefined if it can */
export async function findEngine(): Promise<string | undefined> {
  const engine = connectEngine(ENGINE_SOCKET, 5_000);
  try {
    await engine.ping();
  } catch {
    return "no Docker engine answers here; docs/testing-docker.md says how to start one";
  }
  // Tests do not wait for an engine that would first have to download gigabytes.
  try {
    await engine.getImage(BASE).inspect();
  } catch {
    return `the engine does not have ${BASE}: docker pull ${BASE}`;
  }
  return undefined;
}

/** An engine that was started by hand may have no network for building an image. */
const ENGINE = {
  DOCKER_HOST: process.env.DOCKER_HOST,
  TREADLE_DOCKER_BASE: process.env.TREADLE_DOCKER_BASE,
  TREADLE_DOCKER_BUILD_NETWORK: "host",
};

/**
 * @param options.env the complete environment, except for what leads to the engine; npm's own
 * settings (`npm_config_…`) have precedence
 */
export const createTestDriver = ({
  env = process.env,
  ...options
}: Omit<DockerDriverOptions, "env"> & { env?: object }) =>
  createDockerDriver({ ...options, env: { ...ENGINE, ...env } });

/**
 * Builds the image in a hook before the tests, so that their time limits do not include it. Of
 * several test files at once, one builds it and the others wait.
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
/**
 * No time limit, which a busy machine would exceed: the driver itself gives up a build without
 * progress.
 */
export const BUILD_MS = 0;
