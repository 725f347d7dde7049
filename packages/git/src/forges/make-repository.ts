import { sentence } from "@treadle/protocol/sentences";
import { ApiFailure } from "@treadle/common";
import type { Login } from "../run-git.ts";
import type { ForgeAnswer } from "./ask-forge.ts";
import { failureOfForge, fieldsOf, forgeClient, isGood, oddAnswer } from "./forge-client.ts";
import type { Fields, ForgeCall, ForgeKind, ForgeServer, NewRepository } from "./types.ts";

export interface WantedRepository extends NewRepository {
  /** The server's API; Forgejo has Gitea's. */
  kind: ForgeKind;
  /** Base address of its pages, such as `https://git.example.com`; undefined: github.com or gitlab.com. */
  server?: string | undefined;
  token: string;
  local: boolean;
}

export interface MadeRepository {
  /** The address that git clones from and pushes to. */
  url: string;
  login: Login;
}

const PUBLIC: Partial<Record<ForgeKind, string>> = {
  github: "https://github.com",
  gitlab: "https://gitlab.com",
};
const PATHS: Record<ForgeKind, string> = { github: "/api/v3", gitlab: "/api/v4", gitea: "/api/v1" };

/** A server whose API the person named. @throws ApiFailure `git-address` if its address is missing */
export function namedServer(kind: ForgeKind, server: string | undefined): ForgeServer {
  const web = (server ?? PUBLIC[kind])?.replace(/\/+$/, "");
  if (web === undefined || !URL.canParse(web))
    throw new ApiFailure(400, "git-address", sentence("git-no-server"));
  const isPublicGitHub = kind === "github" && web === PUBLIC.github;
  return { kind, web, api: isPublicGitHub ? "https://api.github.com" : `${web}${PATHS[kind]}` };
}

/**
 * Creates an empty repository on a git server through its API. The token is sent to that server
 * only.
 * @throws ApiFailure `git-taken` if the name is taken, `git-owner` if the owner is unknown, and as
 * `failureOfForge`
 */
export async function makeRepository(repository: WantedRepository): Promise<MadeRepository> {
  const { token, local, owner } = repository;
  const server = namedServer(repository.kind, repository.server);
  const { forge, host, send } = forgeClient(server, { token, local });
  const ask = async (call: ForgeCall): Promise<Fields> => {
    const answer = await send(call);
    if (isGood(answer)) return fieldsOf(answer, host);
    throw refusal(answer, host, repository);
  };
  const { create } = forge;
  const number =
    owner === undefined || !create.owner
      ? undefined
      : Number((await ask(create.owner(owner)))["id"]);
  const made = await ask(create.call(repository, number));
  const url = made[create.url];
  // The token would be sent there with the first push.
  if (typeof url !== "string" || URL.parse(url)?.host !== host) throw oddAnswer(host);
  const { login } = (made["owner"] ?? {}) as { login?: unknown };
  const user = forge.user(typeof login === "string" ? login : undefined);
  return { url, login: { user, password: token } };
}

function refusal(answer: ForgeAnswer, host: string, { name, owner }: WantedRepository) {
  const { status, body } = answer;
  const words = JSON.stringify(body ?? "").slice(0, 2_000);
  if (status === 409 || /already (?:exists|been taken)|has already been taken/i.test(words))
    return new ApiFailure(409, "git-taken", sentence("git-name-taken", { host, name }));
  if (status === 404 && owner !== undefined)
    return new ApiFailure(404, "git-owner", sentence("git-owner-unknown", { host, owner }));
  return failureOfForge(answer, host);
}
