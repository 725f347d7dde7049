import { asSentence, sentence, type Sentence } from "@treadle/protocol/sentences";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Readable } from "node:stream";
import type { Installation } from "../host/installation.ts";
import { WorkspaceError } from "../types.ts";
import type { Engine } from "./engine.ts";
import { imageVersion, writeImageContext, type EngineArch } from "./image-context.ts";

const REPOSITORY = "treadle-sandbox";

/**
 * The base image, which `TREADLE_DOCKER_BASE` replaces: with a copy from a mirror, or with an image
 * that already has all programs.
 */
const BASE = "debian:bookworm-slim";

type Env = Record<string, string | undefined>;

const baseOf = (env: Env) => env.TREADLE_DOCKER_BASE?.trim() || BASE;

/** Proxy settings of this machine for the build. */
const PROXY_NAMES = [
  "HTTP_PROXY",
  "HTTPS_PROXY",
  "NO_PROXY",
  "http_proxy",
  "https_proxy",
  "no_proxy",
];

export interface ImageOptions {
  installation: Installation;
  /**
   * The server's environment. `TREADLE_DOCKER_BUILD_NETWORK`: network of the build's commands, if
   * the engine's default cannot reach the registry.
   */
  env: Env;
  /** Labels of the image; unused images with these labels are removed. */
  owner: Record<string, string>;
  onNotice(text: string): void;
}

/**
 * The engine's architecture. Rejects with a WorkspaceError unless it is Linux on a supported
 * processor.
 */
export async function engineArch(engine: Engine): Promise<EngineArch> {
  const { Os, Arch } = await engine.version();
  if (Os !== "linux")
    throw new WorkspaceError("sandbox", sentence("docker-system", { system: Os }));
  if (Arch === "amd64") return "x64";
  if (Arch === "arm64") return "arm64";
  throw new WorkspaceError("sandbox", sentence("docker-architecture", { architecture: Arch }));
}

/** The image's name for this installation, and whether the engine has it. */
export async function findImage(
  engine: Engine,
  installation: Installation,
  env: Env,
): Promise<{ name: string; arch: EngineArch; there: boolean }> {
  const arch = await engineArch(engine);
  const name = `${REPOSITORY}:${imageVersion(installation, arch, baseOf(env))}`;
  try {
    await engine.getImage(name).inspect();
    return { name, arch, there: true };
  } catch (error) {
    if ((error as { statusCode?: number }).statusCode !== 404) throw error;
    return { name, arch, there: false };
  }
}

/** Minutes without output after which a build is considered stuck. Copying a few hundred MB prints nothing. */
const QUIET_MINUTES = 15;

class BuildFailure extends Error {
  readonly why: Sentence;
  constructor(why: Sentence) {
    super(why.text);
    this.why = why;
  }
}

/**
 * Reads the engine's messages about a build until its end.
 * @throws BuildFailure if the build failed, or made no progress
 */
async function followBuild(engine: Engine, stream: Readable): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const quiet = setTimeout(
    () => reject(new BuildFailure(sentence("docker-build-silent", { minutes: QUIET_MINUTES }))),
    QUIET_MINUTES * 60_000,
  );
  const fail = (why: string) => reject(new BuildFailure(asSentence(why.trim())));
  stream.once("error", (error) => fail(error.message));
  engine.modem.followProgress(
    stream,
    (error: Error | null, results: { error?: string }[] | undefined) => {
      const failed = error?.message ?? results?.find((line) => line.error)?.error;
      if (failed === undefined) resolve();
      else fail(failed);
    },
    () => quiet.refresh(),
  );
  await promise.finally(() => {
    clearTimeout(quiet);
    stream.destroy();
  });
}

/**
 * Builds the image if the engine does not have it, and returns its name. The first build takes a minute or two. Rejects
 * with WorkspaceError `sandbox` if the build fails.
 */
export async function ensureImage(engine: Engine, options: ImageOptions): Promise<string> {
  const { name, arch, there } = await findImage(engine, options.installation, options.env);
  if (there) return name;
  options.onNotice("Building the Docker image that projects run in; this is done once.");
  const folder = mkdtempSync(join(tmpdir(), `treadle-${process.pid}-`));
  try {
    await writeImageContext(folder, options.installation, arch);
    const base = baseOf(options.env);
    const buildargs = {
      BASE: base,
      ...Object.fromEntries(
        PROXY_NAMES.flatMap((key) => (options.env[key] ? [[key, options.env[key]]] : [])),
      ),
    };
    const network = options.env.TREADLE_DOCKER_BUILD_NETWORK;
    const stream = (await engine.buildImage(
      { context: folder, src: ["Dockerfile", "include", "node", "npm", "guest"] },
      {
        t: name,
        buildargs,
        labels: options.owner,
        rm: true,
        forcerm: true,
        ...(network && { networkmode: network }),
      },
    )) as Readable;
    // It usually fails because the machine cannot reach Docker Hub or Debian; the image can then be built elsewhere.
    await followBuild(engine, stream).catch(({ why }: BuildFailure) => {
      throw new WorkspaceError(
        "sandbox",
        sentence("docker-image-build-failed", { why, image: name, base }),
      );
    });
    await removeOlder(engine, [name, base], options.owner);
    return name;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * Removes this owner's images except the named ones: those of older versions, each half a gigabyte. An image that a
 * container still uses stays until the next time.
 */
async function removeOlder(
  engine: Engine,
  persons: readonly string[],
  owner: ImageOptions["owner"],
): Promise<void> {
  const label = Object.entries(owner).map(([key, value]) => `${key}=${value}`);
  const all = await engine.listImages({ filters: { label } }).catch(() => []);
  for (const { RepoTags } of all)
    for (const tag of RepoTags ?? [])
      if (!persons.includes(tag) && tag.startsWith(`${REPOSITORY}:`))
        await engine
          .getImage(tag)
          .remove()
          .catch(() => undefined);
}
