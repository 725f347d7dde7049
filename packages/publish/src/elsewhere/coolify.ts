/**
 * Coolify v4: an application from a branch of a repository, built by its Dockerfile: `POST /applications/public` or
 * `/private-deploy-key`, `POST /deploy`, `GET /deployments/{uuid}`, as https://coolify.io/docs/api-reference/api describes it.
 */
import { CONTAINER_PORT } from "../release/container-files.ts";
import { sentence } from "@treadle/protocol/sentences";
import { ApiFailure } from "@treadle/common";
import { askHost, type AskHost } from "./ask-host.ts";
import { pushSource, type Source } from "./container-source.ts";
import { bodyOf, failureOfHost, oddAnswer, textOf } from "./failure-of-host.ts";
import { atServer, tokenOf } from "./own-server.ts";
import type { ReleaseToSend, Sending, Target } from "./target.ts";
import { waitUntil } from "./wait-until.ts";

const NAME = "Coolify";

export const coolify: Target = {
  id: "coolify",
  name: NAME,
  carries: ["site", "app"],
  fields: [
    { name: "server", required: true },
    { name: "repository", required: true },
    { name: "branch", required: false },
    { name: "application", required: false },
    { name: "project", required: false },
    { name: "machine", required: false },
    { name: "environment", required: false },
    { name: "key", required: false },
    { name: "address", required: false },
  ],
  tokenFor: (place) => tokenOf("coolify", place),
  async send(release, sending) {
    const { token, place, onSaid } = sending;
    const here = atServer(sending, "/api/v1");
    const ask = askHost(NAME, "", { authorization: `Bearer ${token}` }, here);
    // Checks the token before anything is pushed.
    const projects = listOf(await ask({ method: "GET", path: "/projects" }));
    const source = await pushSource(release, sending);
    onSaid(sentence("sending-announcing", { name: NAME }));
    const application =
      place.application ?? (await create(ask, { release, sending, source, projects }));
    sending.onPlace({ ...place, application });
    const at = `/applications/${encodeURIComponent(application)}`;
    if (place.application !== undefined)
      bodyOf(NAME, await ask({ method: "PATCH", path: at, body: settingsOf(source), again: true }));
    const id = await deploy(ask, application);
    onSaid(sentence("sending-finishing", { name: NAME }));
    await waitUntil(
      NAME,
      async () => {
        const path = `/deployments/${encodeURIComponent(id)}`;
        const { status } = bodyOf(NAME, await ask({ method: "GET", path }));
        if (status === "finished") return true;
        if (status === "failed" || String(status).startsWith("cancelled"))
          throw failureOfHost(NAME, {
            status: 422,
            headers: {},
            body: { message: `the deployment ${String(status)}; its log is there` },
          });
        return undefined;
      },
      sending,
    );
    const { fqdn } = bodyOf(NAME, await ask({ method: "GET", path: at }));
    const address = typeof fqdn === "string" && fqdn !== "" ? fqdn.split(",")[0] : place.address;
    return { address, place: { ...place, application } };
  },
};

const settingsOf = ({ repository, branch, commit }: Source) => ({
  git_repository: repository,
  git_branch: branch,
  git_commit_sha: commit,
  build_pack: "dockerfile",
  ports_exposes: String(CONTAINER_PORT),
});

async function create(
  ask: AskHost,
  parts: { release: ReleaseToSend; sending: Sending; source: Source; projects: Named[] },
): Promise<string> {
  const { place } = parts.sending;
  const machines = place.machine === undefined ? listOf(await ask({ method: "GET", path: "/servers" })) : []; // prettier-ignore
  const kind = place.key === undefined ? "public" : "private-deploy-key";
  const made = await ask({
    method: "POST",
    path: `/applications/${kind}`,
    body: {
      project_uuid: place.project ?? onlyOne("project", parts.projects),
      server_uuid: place.machine ?? onlyOne("machine", machines),
      environment_name: place.environment ?? "production",
      name: parts.release.name,
      ...settingsOf(parts.source),
      ...(place.key !== undefined && { private_key_uuid: place.key }),
      ...(place.address !== undefined && { domains: place.address }),
      instant_deploy: false,
    },
  });
  return textOf(NAME, bodyOf(NAME, made), "uuid");
}

async function deploy(ask: AskHost, application: string): Promise<string> {
  const path = `/deploy?uuid=${encodeURIComponent(application)}&force=true`;
  let answer = await ask({ method: "POST", path, shows: true });
  // Older versions expect this method.
  if (answer.status === 405) answer = await ask({ method: "GET", path });
  const { deployments } = bodyOf(NAME, answer) as { deployments?: Named[] };
  const [first] = deployments ?? [];
  if (!first) throw oddAnswer(NAME);
  return textOf(NAME, first, "deployment_uuid");
}

type Named = Record<string, unknown>;

function listOf(answer: Parameters<typeof bodyOf>[1]): Named[] {
  const body = bodyOf(NAME, answer);
  if (!Array.isArray(body)) throw oddAnswer(NAME);
  return body as Named[];
}

/**
 * The id of the only project or machine, which need not be named in the settings.
 * @throws ApiFailure 400 `place-wanted` if there are none or several
 */
function onlyOne(field: string, all: readonly Named[]): string {
  const [first] = all;
  if (first && all.length === 1) return textOf(NAME, first, "uuid");
  const known = all.map(({ name, uuid }) => `${String(name)} (${String(uuid)})`).join(", ");
  throw new ApiFailure(
    400,
    "place-wanted",
    all.length === 0
      ? sentence("place-none", { name: NAME, field })
      : sentence("place-several", { name: NAME, field, known }),
  );
}
