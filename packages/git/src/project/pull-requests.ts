import type {
  CodedText,
  Evidence,
  EvidencePart,
  PartState,
  Usage,
  Verdict,
} from "@treadle/protocol";
import { EVIDENCE_PARTS, unprovenItems, type UnprovenItem } from "@treadle/protocol/evidence";
import { sentence } from "@treadle/protocol/sentences";
import { ApiFailure } from "@treadle/common";
import { fetchSeen, listRemoteBranches } from "../branches.ts";
import { pictureName } from "../forges/file-form.ts";
import { FORGE } from "../forges/forge-client.ts";
import {
  type OpenedPullRequest,
  openPullRequest,
  type RequestPicture,
} from "../forges/pull-request.ts";
import type { ForgePlace, PullRequest } from "../forges/types.ts";
import { findBranch } from "../repository.ts";
import type { Turn } from "../turns.ts";
import { createBranch } from "./project-branches.ts";
import { forgeHost, openForge, recognizePlace } from "./project-forge.ts";
import type { SyncParts } from "./git-project.ts";
import { openPlace, turnsAfter, type Place } from "./project-repository.ts";
import { push, type Pushed } from "./sync.ts";

/** Pictures of a project, by their hash. */
interface SentPictures {
  read(hash: string): Promise<{ bytes: Uint8Array; type: string } | undefined>;
}

/** The branch for pictures if the API accepts no files. */
const PICTURE_BRANCH = "treadle-pictures";
/** Maximum number of turns described. */
const TURNS = 50;

/** Facts about the changes of a branch, from which the page composes the text of a pull request. */
export interface PullRequestFacts {
  kind: ForgePlace["kind"];
  /** Address of the server's pages. */
  server: string;
  isSignedIn: boolean;
  /** The current branch, or a name for a new one if the project is on `base`. */
  branch: string;
  isNew: boolean;
  base: string;
  turns: { asked: string; verdict?: Verdict | undefined }[];
  /** The last verdict. */
  verdict?: Verdict | undefined;
  summary: string;
  summaryCode?: CodedText | undefined;
  parts: { part: EvidencePart; state: PartState; summary: string; summaryCode?: CodedText | undefined }[]; // prettier-ignore
  /** All requests with the check that shows each, or the reason why none does. */
  asked: { what: string; check?: string | undefined; why?: UnprovenItem["why"] | undefined }[];
  models: string[];
  usage: Usage;
  picture?: { hash: string; way: "upload" | "attach" | "branch" } | undefined;
}

/** The facts for a pull request of the current branch. @throws ApiFailure `git-no-api` */
export async function readFacts(parts: SyncParts): Promise<PullRequestFacts> {
  const { state, repository, remote } = await openPlace(parts);
  const place = await recognizePlace(parts, state);
  const begun = state.begun?.[state.branch];
  const base = begun?.base ?? (await findBranch(repository, remote, parts.signal).catch(() => state.branch)); // prettier-ignore
  const isNew = base === state.branch;
  const turns = (await turnsAfter(parts, begun ? begun.run : state.run)).slice(-TURNS);
  const last = turns.findLast(({ verdict }) => verdict !== undefined);
  const evidence = last?.evidence;
  const picture = evidence?.pages.findLast((page) => page.picture)?.picture;
  return {
    kind: place.kind,
    server: place.web,
    isSignedIn: (await parts.logins.read(forgeHost(state.url))) !== undefined,
    branch: isNew ? newBranchName(turns) : state.branch,
    isNew,
    base,
    turns: turns.map(({ asked, verdict }) => ({ asked, verdict })),
    verdict: last?.verdict,
    summary: last?.summary ?? "",
    summaryCode: last?.summaryCode,
    parts: EVIDENCE_PARTS.flatMap((part) => {
      const seen = evidence?.parts[part];
      if (!seen || seen.state === "untried") return [];
      const { state: result, summary, summaryCode } = seen;
      return [{ part, state: result, summary, summaryCode }];
    }),
    asked: evidence ? askedIn(evidence) : [],
    models: [...new Set(turns.map(({ model }) => model))],
    usage: totalOf(turns),
    picture: picture && { hash: picture.hash, way: FORGE[place.kind].picture.way },
  };
}

function askedIn(evidence: Evidence): PullRequestFacts["asked"] {
  const open = unprovenItems(evidence);
  return (evidence.asked ?? []).map(({ what, check }) => {
    const unproven = open.find((item) => item.what === what);
    return { what, check: unproven?.check ?? check, why: unproven?.why };
  });
}

function totalOf(turns: readonly Turn[]): Usage {
  const total: Usage = { inputTokens: 0, cachedInputTokens: 0, outputTokens: 0 };
  for (const { usage } of turns) {
    total.inputTokens += usage?.inputTokens ?? 0;
    total.cachedInputTokens += usage?.cachedInputTokens ?? 0;
    total.outputTokens += usage?.outputTokens ?? 0;
    if (usage?.costUsd !== undefined) total.costUsd = (total.costUsd ?? 0) + usage.costUsd;
  }
  return total;
}

/** For example `treadle/make-the-header-blue`, from the first request. */
function newBranchName([first]: readonly Turn[]): string {
  const words = (first?.asked ?? "")
    .normalize("NFKD")
    .toLowerCase()
    .match(/[a-z0-9]+/g);
  const slug = words?.slice(0, 6).join("-").slice(0, 50).replace(/-$/, "");
  return `treadle/${slug || (first?.run ?? "changes").replace(/[^\w-]/g, "").slice(0, 12)}`;
}

/** A pull request with the person's edited text. */
export interface PullRequestDraft {
  title: string;
  body: string;
  base: string;
  /** Undefined for the current branch; another one is created. */
  branch?: string | undefined;
  /** Hash of a picture of the project to include. */
  picture?: string | undefined;
}

/** An open pull request, and what was pushed for it. */
export type RequestedPull = OpenedPullRequest & Pick<Pushed, "pushed" | "statuses">;

/**
 * Pushes the current branch, or a new one, and opens a pull request for it. Can be repeated: after
 * a failure the created branch is the current one, and nothing is pushed twice.
 * @throws ApiFailure `git-branch` if source and target are the same, `git-login`, `git-scope`,
 * `git-moved`
 */
export async function requestPull(
  parts: SyncParts,
  draft: PullRequestDraft,
  pictures: SentPictures,
): Promise<RequestedPull> {
  const { state } = await openPlace(parts);
  // Detects a missing token before anything is pushed.
  const { place, client } = await openForge(parts, state);
  const { title, body, base, branch: head = state.branch } = draft;
  if (head === base)
    throw new ApiFailure(409, "git-branch", sentence("git-branch-current", { branch: base }));
  if (head !== state.branch) await createBranch(parts, head);
  const { pushed, statuses } = await push(parts, { squash: false });
  const request: PullRequest = { title, body, head, base };
  const picture = await readPicture(parts, place, pictures, draft.picture);
  return { ...(await openPullRequest(client, place, request, picture)), pushed, statuses };
}

async function readPicture(
  parts: SyncParts,
  forge: ForgePlace,
  pictures: SentPictures,
  hash: string | undefined,
): Promise<RequestPicture | undefined> {
  const found = hash === undefined ? undefined : await pictures.read(hash);
  if (!found) return undefined;
  const picture = { bytes: found.bytes, type: found.type };
  if (FORGE[forge.kind].picture.way !== "branch") return { ...picture, file: pictureName(picture) };
  try {
    return { ...picture, ...(await pushPicture(await openPlace(parts), picture, parts.signal)) };
  } catch (error) {
    // The pull request is created without the picture, and the answer says so.
    if (error instanceof ApiFailure) return undefined;
    throw error;
  }
}

/**
 * Pushes a picture to a separate branch, beside existing ones.
 * @returns its commit and its name
 */
async function pushPicture(
  { repository, remote }: Place,
  picture: Pick<RequestPicture, "bytes" | "type">,
  signal: AbortSignal | undefined,
): Promise<{ commit: string; file: string }> {
  const blob = await repository.line(["hash-object", "-w", "--stdin"], { input: picture.bytes });
  const file = pictureName(picture).replace(/^app/, `app-${blob.slice(0, 12)}`);
  const before = await fetchPictures(repository, remote, signal);
  const env = { GIT_INDEX_FILE: `${repository.gitDirectory}/treadle-pictures` };
  await repository.git(["read-tree", before ?? "--empty"], { env });
  await repository.git(["update-index", "--add", "--cacheinfo", `100644,${blob},${file}`], { env });
  const tree = await repository.line(["write-tree"], { env });
  const parents = before === undefined ? [] : ["-p", before];
  const commit = await repository.line(["commit-tree", tree, ...parents, "-F", "-"], {
    input: "Add a picture for a pull request\n",
  });
  const spec = `${commit}:refs/heads/${PICTURE_BRANCH}`;
  const words = ["push", "--porcelain", "--no-verify", "--", remote.address.url, spec];
  await repository.git(words, { remote, signal });
  return { commit, file };
}

async function fetchPictures(
  repository: Place["repository"],
  remote: Place["remote"],
  signal: AbortSignal | undefined,
): Promise<string | undefined> {
  const there = await listRemoteBranches(repository, remote, signal);
  if (!there.has(PICTURE_BRANCH)) return undefined;
  return fetchSeen(repository, remote, PICTURE_BRANCH, signal);
}
