/** A container registry: an image of the release, built and pushed by the Docker of this machine (https://docs.docker.com/reference/cli/docker/). */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Place } from "@treadle/protocol";
import { visibleText } from "@treadle/protocol/safe-text";
import { sentence, type Sentence } from "@treadle/protocol/sentences";
import { ApiFailure } from "@treadle/common";
import { openRepository } from "@treadle/git";
import { containerTexts } from "./container-source.ts";
import { wrongToken } from "./failure-of-host.ts";
import { releaseTree } from "./release-tree.ts";
import { runProgram, type Ended } from "./run-program.ts";
import type { Target } from "./target.ts";

const IMAGE = /^(?:[a-z0-9.-]+(?::\d{1,5})?\/)?[a-z0-9]+(?:[._/-]+[a-z0-9]+)*$/;
/** Docker Hub's name, and the key of its logins. */
const HUB = "docker.io";
const HUB_LOGIN = "https://index.docker.io/v1/";

export const registry: Target = {
  id: "registry",
  name: "Container registry",
  carries: ["site", "app"],
  fields: [
    { name: "image", required: true },
    { name: "user", required: true },
  ],
  tokenFor: (place) => `registry:${hostOf(place)}`,
  async send(release, sending) {
    const { token, place, signal, onSaid, folder } = sending;
    const { image = "" } = place;
    if (!IMAGE.test(image) || image.length > 255)
      throw new ApiFailure(
        400,
        "bad-place",
        sentence("place-invalid", { text: image, kind: "image" }),
      );
    const tags = [`${image}:${release.number}`, `${image}:latest`];
    const engine = await engineOf(signal);
    const onOutput = (text: string) => {
      const step = /(?:#\d+ \[[^\]]*\]|Step \d+\/\d+ :) .*/.exec(text)?.[0];
      if (step !== undefined)
        onSaid(sentence("sending-building-step", { step: visibleText(step).slice(0, 120) }));
    };
    const docker = (words: string[], more: { input?: Uint8Array } = {}) =>
      runProgram("docker", [...engine, ...words], {
        env: environment(),
        signal,
        onOutput,
        ...more,
      });
    onSaid(sentence("sending-building"));
    const repository = await openRepository(join(folder, "elsewhere.git"));
    const tree = await releaseTree(repository, release, (names, read) =>
      containerTexts(release, names, read),
    );
    const context = await repository.git(["archive", "--format=tar", tree], { signal });
    const built = await docker(["build", ...tags.flatMap((tag) => ["--tag", tag]), "-"], {
      input: context,
    });
    if (built.code !== 0)
      throw dockerFailure(sentence("image-not-built", { why: lastLine(built) }));
    // Other users of this machine can see arguments, so the login is in a file that only this user
    // can read.
    const login = await mkdtemp(join(tmpdir(), "treadle-login-"));
    try {
      const host = hostOf(place);
      const auth = Buffer.from(`${place.user}:${token}`).toString("base64");
      const auths = { [host === HUB ? HUB_LOGIN : host]: { auth } };
      await writeFile(join(login, "config.json"), JSON.stringify({ auths }), { mode: 0o600 });
      for (const tag of tags) {
        onSaid(sentence("sending-pushing", { what: tag }));
        const pushed = await docker(["--config", login, "push", tag]);
        if (pushed.code === 0) continue;
        if (/unauthorized|authentication required|denied|no basic auth/i.test(pushed.complaint))
          throw wrongToken(host);
        throw dockerFailure(sentence("image-not-pushed", { tag, why: lastLine(pushed) }));
      }
    } finally {
      await rm(login, { recursive: true, force: true });
    }
    return {};
  },
};

/** The registry's host in an image name; Docker Hub if the name's first part is not a host. */
function hostOf({ image = "" }: Place): string {
  const [first = "", ...rest] = image.split("/");
  return rest.length > 0 && /[.:]|^localhost$/.test(first) ? first : HUB;
}

/** Docker's environment: only what finds the program, the home folder and the person's choice of an engine. */
const environment = () => {
  const { PATH, HOME, DOCKER_HOST, DOCKER_CONTEXT, DOCKER_TLS_VERIFY, DOCKER_CERT_PATH } = process.env; // prettier-ignore
  return { PATH, HOME, DOCKER_HOST, DOCKER_CONTEXT, DOCKER_TLS_VERIFY, DOCKER_CERT_PATH };
};

/**
 * Options by which Docker finds its engine with another configuration folder; none if `DOCKER_HOST` names it.
 * @throws ApiFailure 503 if there is no engine
 */
async function engineOf(signal: AbortSignal): Promise<string[]> {
  const env = environment();
  const asked = await runProgram("docker", ["version", "--format", "{{.Server.Version}}"], { env, signal }); // prettier-ignore
  if (asked.code !== 0) throw new ApiFailure(503, "program-missing", sentence("docker-silent"));
  if (env.DOCKER_HOST) return [];
  const found = await runProgram("docker", ["context", "inspect", "--format", "{{.Endpoints.docker.Host}}"], { env, signal }); // prettier-ignore
  const host = found.output.trim();
  return found.code === 0 && /^\w+:\/\//.test(host) ? ["--host", host] : [];
}

const dockerFailure = (what: Sentence) => new ApiFailure(502, "host-refused", what);

const lastLine = ({ complaint }: Ended) =>
  visibleText(complaint.trim().split("\n").at(-1) ?? "").slice(0, 300);
