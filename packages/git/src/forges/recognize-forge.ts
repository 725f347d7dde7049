import { isIP } from "node:net";
import type { GitAddress } from "../address.ts";
import { askForge, type ForgeAnswer } from "./ask-forge.ts";
import type { Fields, ForgeKind, ForgePlace, ForgeServer } from "./types.ts";

/** A request whose response shows which API a server has. It is sent without a token. */
interface Probe {
  kind: ForgeKind;
  /** Base address of the API. */
  api: string;
  path: string;
  isAnswer(answer: ForgeAnswer): boolean;
}

const fieldsIn = ({ body }: ForgeAnswer) =>
  (typeof body === "object" && body !== null ? body : {}) as Fields;
const isText = (value: unknown): value is string => typeof value === "string";

/** Whether Gitea answered. Its errors name its API description: https://docs.gitea.com/development/api-usage. */
const isGitea = (answer: ForgeAnswer) => {
  const { version, url } = fieldsIn(answer);
  return answer.status === 200 ? isText(version) : isText(url) && url.includes("/api/swagger");
};
/** https://docs.gitlab.com/api/version/ needs a token; https://docs.gitlab.com/api/rest/troubleshooting/ shows the refusal. */
const isGitLab = (answer: ForgeAnswer) => {
  const { version, revision, message } = fieldsIn(answer);
  return answer.status === 401
    ? message === "401 Unauthorized"
    : answer.status === 200 && isText(version) && isText(revision);
};
/** https://docs.github.com/en/rest/using-the-rest-api/getting-started-with-the-rest-api: its root lists its addresses. */
const isGitHub = (answer: ForgeAnswer) => {
  const { repository_url: repository, message, documentation_url: manual } = fieldsIn(answer);
  return answer.status === 200 ? isText(repository) : isText(message) && isText(manual);
};

const ownProbes = (web: string): Probe[] => [
  { kind: "gitea", api: `${web}/api/v1`, path: "/version", isAnswer: isGitea },
  { kind: "gitlab", api: `${web}/api/v4`, path: "/version", isAnswer: isGitLab },
  { kind: "github", api: `${web}/api/v3`, path: "/", isAnswer: isGitHub },
];

/** Probes for GitHub's own service, whose API is on the host `api.` below the host of its pages. */
function subdomainProbes(web: string): Probe[] {
  const { protocol, hostname, host } = new URL(web);
  if (!hostname.includes(".") || isIP(hostname.replace(/^\[|\]$/g, "")) !== 0) return [];
  return [{ kind: "github", api: `${protocol}//api.${host}`, path: "/", isAnswer: isGitHub }];
}

/**
 * Determines a server's API by its responses, not by its name. Undefined if Treadle supports none
 * of them.
 * @param web base address of its pages, without a trailing slash
 * @throws ApiFailure `git-local`, `git-plain`, `git-unreachable` if the server could not be
 * contacted
 */
export async function recognizeServer(
  web: string,
  local: boolean,
): Promise<ForgeServer | undefined> {
  for (const probes of [ownProbes(web), subdomainProbes(web)]) {
    const answers = await Promise.allSettled(
      probes.map(async ({ api, path }) => askForge({ method: "GET", url: api + path, local })),
    );
    for (const [index, answer] of answers.entries()) {
      const { kind, api, isAnswer } = probes[index]!;
      if (answer.status === "fulfilled" && isAnswer(answer.value)) return { kind, web, api };
    }
    const [first] = answers;
    const isOwn = probes[0]?.kind === "gitea";
    if (isOwn && first && answers.every(({ status }) => status === "rejected"))
      throw (first as PromiseRejectedResult).reason;
  }
  return undefined;
}

/**
 * The repository of an address on a server with a known API. A server may have its pages below a
 * path.
 * @returns undefined if it has no supported API
 */
export async function recognizeForge(
  address: GitAddress,
  local: boolean,
): Promise<ForgePlace | undefined> {
  const url = new URL(address.url);
  const segments = url.pathname.replace(/\/+$/, "").replace(/\.git$/, "").split("/").filter(Boolean); // prettier-ignore
  const origin = address.kind === "ssh" ? `https://${address.host}` : url.origin;
  const bases = [{ web: origin, path: segments }];
  if (segments.length > 2) bases.push({ web: `${origin}/${segments[0]}`, path: segments.slice(1) });
  for (const { web, path } of bases) {
    const server = path.length < 2 ? undefined : await recognizeServer(web, local);
    if (server) return { ...server, path: path.map(decodeURIComponent).join("/") };
  }
  return undefined;
}
