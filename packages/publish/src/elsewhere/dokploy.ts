/**
 * Dokploy: an application from a branch of a repository, built by its Dockerfile: `application.create`, `.saveGitProvider`,
 * `.saveBuildType`, `.deploy`, `deployment.all`, as https://docs.dokploy.com/docs/api describes it.
 */
import type { Place } from "@treadle/protocol";
import { CONTAINER_PORT } from "../release/container-files.ts";
import { sentence } from "@treadle/protocol/sentences";
import { ApiFailure } from "@treadle/common";
import { askHost, type AskHost } from "./ask-host.ts";
import { pushSource } from "./container-source.ts";
import { bodyOf, failureOfHost, oddAnswer, textOf } from "./failure-of-host.ts";
import { atServer, tokenOf } from "./own-server.ts";
import type { ReleaseToSend, Target } from "./target.ts";
import { waitUntil } from "./wait-until.ts";

const NAME = "Dokploy";

type Named = Record<string, unknown>;

export const dokploy: Target = {
  id: "dokploy",
  name: NAME,
  carries: ["site", "app"],
  fields: [
    { name: "server", required: true },
    { name: "repository", required: true },
    { name: "branch", required: false },
    { name: "application", required: false },
    { name: "environment", required: false },
    { name: "key", required: false },
    { name: "address", required: false },
  ],
  tokenFor: (place) => tokenOf("dokploy", place),
  async send(release, sending) {
    const { token, place, onSaid } = sending;
    const ask = askHost(NAME, "", { "x-api-key": token }, atServer(sending, "/api"));
    // Checks the token before anything is pushed.
    const projects = listOf(await ask({ method: "GET", path: "/project.all" }));
    const { repository, branch } = await pushSource(release, sending);
    onSaid(sentence("sending-announcing", { name: NAME }));
    const applicationId = place.application ?? (await create(ask, release, place, projects));
    sending.onPlace({ ...place, application: applicationId });
    const post = async (what: string, body: object) => {
      const answer = await ask({ method: "POST", path: `/application.${what}`, body: { applicationId, ...body }, again: what !== "deploy", shows: what === "deploy" }); // prettier-ignore
      if (answer.status >= 300) throw failureOfHost(NAME, answer);
    };
    await post("saveGitProvider", {
      customGitUrl: repository,
      customGitBranch: branch,
      customGitBuildPath: "/",
      watchPaths: [],
      enableSubmodules: false,
      ...(place.key !== undefined && { customGitSSHKeyId: place.key }),
    });
    await post("saveBuildType", {
      buildType: "dockerfile",
      dockerfile: "Dockerfile",
      dockerContextPath: "",
      dockerBuildStage: "",
      herokuVersion: "",
      railpackVersion: "",
    });
    const query = `?applicationId=${encodeURIComponent(applicationId)}`;
    const deployments = async () => listOf(await ask({ method: "GET", path: `/deployment.all${query}` })); // prettier-ignore
    const before = new Set((await deployments()).map(({ deploymentId }) => deploymentId));
    const domains = async () => listOf(await ask({ method: "GET", path: `/domain.byApplicationId${query}` })); // prettier-ignore
    // The application is new, or an earlier attempt was interrupted before it had an address.
    if (before.size === 0 && (await domains()).length === 0)
      await giveAddress(ask, { applicationId, name: release.name, place });
    await post("deploy", { title: `Release ${release.number}` });
    onSaid(sentence("sending-finishing", { name: NAME }));
    await waitUntil(
      NAME,
      async () => {
        const deployment = (await deployments()).find(
          ({ deploymentId }) => !before.has(deploymentId),
        );
        if (deployment?.["status"] === "done") return true;
        if (deployment?.["status"] === "error" || deployment?.["status"] === "cancelled")
          throw failureOfHost(NAME, {
            status: 422,
            headers: {},
            body: {
              message: deployment["errorMessage"] ?? "the deployment failed; its log is there",
            },
          });
        return undefined;
      },
      sending,
    );
    const [domain] = await domains();
    return {
      address: domain && `${domain["https"] === true ? "https" : "http"}://${textOf(NAME, domain, "host")}`, // prettier-ignore
      place: { ...place, application: applicationId },
    };
  },
};

/** Creates an application in the given environment, or in the only one, and returns its id. */
async function create(
  ask: AskHost,
  { name }: ReleaseToSend,
  { environment }: Place,
  projects: readonly Named[],
): Promise<string> {
  const environmentId = environment ?? onlyEnvironment(projects);
  const made = await ask({ method: "POST", path: "/application.create", body: { name, environmentId } }); // prettier-ignore
  return textOf(NAME, bodyOf(NAME, made), "applicationId");
}

/** Assigns the requested address to an application, or one that Dokploy generates. */
async function giveAddress(
  ask: AskHost,
  { applicationId, name, place }: { applicationId: string; name: string; place: Place },
): Promise<void> {
  const own = place.address?.replace(/^https?:\/\//, "").replace(/\/.*$/, "");
  const isHttps = own !== undefined && !place.address!.startsWith("http://");
  const body = {
    applicationId,
    host: own ?? (await thoughtOf(ask, name)),
    path: "/",
    port: CONTAINER_PORT,
    https: isHttps,
    certificateType: isHttps ? "letsencrypt" : "none",
  };
  bodyOf(NAME, await ask({ method: "POST", path: "/domain.create", body }));
}

async function thoughtOf(ask: AskHost, appName: string): Promise<string> {
  const given = await ask({ method: "POST", path: "/domain.generateDomain", body: { appName }, again: true }); // prettier-ignore
  if (given.status >= 300) throw failureOfHost(NAME, given);
  if (typeof given.body !== "string" || given.body === "") throw oddAnswer(NAME);
  return given.body;
}

/**
 * The id of the only environment, which need not be named in the settings.
 * @throws ApiFailure 400 `place-wanted` if there are none or several
 */
function onlyEnvironment(projects: readonly Named[]): string {
  const all = projects.flatMap(({ name, environments }) =>
    (Array.isArray(environments) ? (environments as Named[]) : []).map((one) => ({
      id: textOf(NAME, one, "environmentId"),
      name: `${String(name)}, ${String(one["name"])}`,
    })),
  );
  const [first] = all;
  if (first && all.length === 1) return first.id;
  const known = all.map(({ id, name }) => `${name} (${id})`).join("; ");
  throw new ApiFailure(
    400,
    "place-wanted",
    all.length === 0
      ? sentence("place-none", { name: NAME, field: "project" })
      : sentence("place-several", { name: NAME, field: "environment", known }),
  );
}

function listOf(answer: Parameters<typeof bodyOf>[1]): Named[] {
  const body = bodyOf(NAME, answer);
  if (!Array.isArray(body)) throw oddAnswer(NAME);
  return body as Named[];
}
