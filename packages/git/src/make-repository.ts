import { ApiFailure } from "@treadle/common";
import { askForge, type ForgeAnswer, type ForgeRequest } from "./ask-forge.ts";
import type { Login } from "./run-git.ts";

export const FORGES = ["github", "gitlab", "gitea"] as const;

/** Which API it has; Forgejo has Gitea's. */
export type ForgeKind = (typeof FORGES)[number];

export interface WantedRepository {
  kind: ForgeKind;
  /** Where its page is, such as `https://git.example.com`; absent: github.com or gitlab.com. */
  server?: string | undefined;
  name: string;
  /** An organisation or group; absent: whose token it is. */
  owner?: string | undefined;
  isPrivate: boolean;
  token: string;
  local: boolean;
}

export interface MadeRepository {
  /** What git clones and pushes to. */
  url: string;
  /** What git says who it is with. */
  login: Login;
}

const PUBLIC: Partial<Record<ForgeKind, string>> = {
  github: "https://github.com",
  gitlab: "https://gitlab.com",
};

/** Where its API is, what is sent, and what of the answer is read: as the three describe it publicly. */
interface Forge {
  api(server: string): string;
  headers(token: string): Record<string, string>;
  /** Where the owner has a number that the request wants in place of the name. */
  ownerAt?(owner: string): string;
  create(repository: WantedRepository, owner: number | undefined): { path: string; body: object };
  /** Name of the address in the answer. */
  url: string;
  user(answer: Record<string, unknown>): string;
}

const GITHUB = "https://github.com";
const ownerName = ({ owner }: Record<string, unknown>) =>
  String((owner as { login?: unknown } | undefined)?.login ?? "git");

const KNOWN: Record<ForgeKind, Forge> = {
  github: {
    api: (server) => (server === GITHUB ? "https://api.github.com" : `${server}/api/v3`),
    headers: (token) => ({
      authorization: `Bearer ${token}`,
      accept: "application/vnd.github+json",
      "x-github-api-version": "2022-11-28",
    }),
    create: ({ owner, name, isPrivate }) => ({
      path: owner === undefined ? "/user/repos" : `/orgs/${encodeURIComponent(owner)}/repos`,
      body: { name, private: isPrivate, auto_init: false },
    }),
    url: "clone_url",
    user: () => "x-access-token",
  },
  gitlab: {
    api: (server) => `${server}/api/v4`,
    headers: (token) => ({ "private-token": token }),
    ownerAt: (owner) => `/namespaces/${encodeURIComponent(owner)}`,
    create: ({ name, isPrivate }, owner) => ({
      path: "/projects",
      body: {
        name,
        path: name,
        visibility: isPrivate ? "private" : "public",
        initialize_with_readme: false,
        ...(owner === undefined ? {} : { namespace_id: owner }),
      },
    }),
    url: "http_url_to_repo",
    user: () => "oauth2",
  },
  gitea: {
    api: (server) => `${server}/api/v1`,
    headers: (token) => ({ authorization: `token ${token}` }),
    create: ({ owner, name, isPrivate }) => ({
      path: owner === undefined ? "/user/repos" : `/orgs/${encodeURIComponent(owner)}/repos`,
      body: { name, private: isPrivate, auto_init: false },
    }),
    url: "clone_url",
    user: ownerName,
  },
};

/**
 * Makes an empty repository on a git server by its API. The token is sent to that server alone.
 * @throws ApiFailure `git-login` where the token is not taken, `git-taken` where there is such a repository
 */
export async function makeRepository(repository: WantedRepository): Promise<MadeRepository> {
  const { kind, token, local, owner } = repository;
  const server = (repository.server ?? PUBLIC[kind])?.replace(/\/+$/, "");
  if (server === undefined)
    throw new ApiFailure(
      400,
      "git-address",
      "Say where the server is: Gitea and Forgejo have no standard address.",
    );
  const forge = KNOWN[kind];
  const host = URL.parse(server)?.host ?? server;
  const ask = async (path: string, more: Pick<ForgeRequest, "method" | "body">) => {
    const url = `${forge.api(server)}${path}`;
    const answer = await askForge({ ...more, url, local, headers: forge.headers(token) });
    if (answer.status >= 200 && answer.status < 300) return objectOf(answer, host);
    throw refusal(answer, host, repository);
  };
  const number =
    owner === undefined || !forge.ownerAt
      ? undefined
      : Number((await ask(forge.ownerAt(owner), { method: "GET" }))["id"]);
  const { path, body } = forge.create(repository, number);
  const made = await ask(path, { method: "POST", body });
  const url = made[forge.url];
  if (typeof url !== "string" || URL.parse(url)?.host !== host)
    // The token would be sent there with the first push.
    throw new ApiFailure(502, "git-odd", `${host} created a repository, but gave no address for it. Name it yourself.`); // prettier-ignore
  return { url, login: { user: forge.user(made), password: token } };
}

function objectOf({ body }: ForgeAnswer, host: string): Record<string, unknown> {
  if (typeof body === "object" && body !== null) return body as Record<string, unknown>;
  throw new ApiFailure(502, "git-odd", `${host} does not answer as such a server does. Is the address right?`); // prettier-ignore
}

function refusal({ status, body }: ForgeAnswer, host: string, { name, owner }: WantedRepository) {
  const words = JSON.stringify(body ?? "").slice(0, 2_000);
  if (status === 401)
    return new ApiFailure(409, "git-login", `${host} does not accept the token. Make one that may create repositories.`); // prettier-ignore
  if (status === 409 || /already (?:exists|been taken)|has already been taken/i.test(words))
    return new ApiFailure(409, "git-taken", `${host} already has a repository ${name}. Choose another name, or push to that one.`); // prettier-ignore
  if (status === 404 && owner !== undefined)
    return new ApiFailure(404, "git-owner", `${host} knows no ${owner} for which this token may create repositories.`); // prettier-ignore
  if (status === 403)
    return new ApiFailure(403, "git-refused", `${host} knows the token, but does not allow it to create a repository.`); // prettier-ignore
  const explanation = (body as { message?: unknown } | undefined)?.message;
  const why = typeof explanation === "string" ? `: ${explanation.slice(0, 300)}` : ` (${status})`;
  return new ApiFailure(502, "git-refused", `${host} did not create a repository${why}`);
}
