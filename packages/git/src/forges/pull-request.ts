import { sentence } from "@treadle/protocol/sentences";
import { ApiFailure } from "@treadle/common";
import { failureOfForge, fieldsOf, isGood, oddAnswer, type ForgeClient } from "./forge-client.ts";
import type { Fields, ForgePlace, Picture, PullRequest } from "./types.ts";

export interface OpenedPullRequest {
  /** The address of its page. */
  address: string;
  /** Whether it was already open; its text is unchanged then. */
  existed: boolean;
  /** Whether the text shows the picture. */
  hasPicture: boolean;
}

/** The picture of a pull request: uploaded with it, or already pushed to the repository by this commit. */
export type RequestPicture = Picture & { commit?: string | undefined; file: string };

/**
 * Opens a pull request, or finds the open one between the two branches. Failing to add a picture
 * does not prevent it.
 * @throws ApiFailure as `failureOfForge`
 */
export async function openPullRequest(
  client: ForgeClient,
  place: ForgePlace,
  request: PullRequest,
  picture?: RequestPicture,
): Promise<OpenedPullRequest> {
  const { forge, host } = client;
  const shown = picture && (await pictureBefore(client, place, picture));
  const body = shown === undefined ? request.body : `${request.body}\n\n${shown}`;
  const answer = await client.send(forge.pullRequest.open(place, { ...request, body }));
  if (forge.pullRequest.isTaken(answer)) {
    const address = await findPullRequest(client, place, request);
    if (address === undefined) throw failureOfForge(answer, host);
    return { address, existed: true, hasPicture: false };
  }
  if (!isGood(answer)) throw failureOfForge(answer, host);
  const opened = fieldsOf(answer, host);
  const address = addressOf(opened[forge.pullRequest.address], client);
  const attached = picture && (await attach(client, place, { opened, body, picture }));
  return { address, existed: false, hasPicture: shown !== undefined || attached === true };
}

/** The address of the open pull request between two branches; undefined if there is none. */
export async function findPullRequest(
  client: ForgeClient,
  place: ForgePlace,
  request: PullRequest,
): Promise<string | undefined> {
  const { pullRequest } = client.forge;
  const listed = await client.object(pullRequest.list(place, request));
  if (!Array.isArray(listed)) throw oddAnswer(client.host);
  const found = (listed as Fields[]).find((one) => pullRequest.isBetween(one, request));
  return found && addressOf(found[pullRequest.address], client);
}

/** The address of a page. People follow it, so it has to be on the same server. @throws ApiFailure `git-odd` */
function addressOf(value: unknown, { host }: ForgeClient): string {
  const url = typeof value === "string" ? URL.parse(value) : null;
  if (url && /^https?:$/.test(url.protocol) && url.host === host) return url.href;
  throw oddAnswer(host);
}

const markdown = (address: string) => `![${sentence("git-picture").text}](${address})`;

/**
 * Markdown that shows the picture, if its address is known in advance; undefined if not, or if the
 * upload failed.
 */
async function pictureBefore(
  { forge, object }: ForgeClient,
  place: ForgePlace,
  picture: RequestPicture,
): Promise<string | undefined> {
  const { picture: way } = forge;
  if (way.way === "branch")
    return picture.commit && markdown(way.address(place, picture.commit, picture.file));
  if (way.way !== "upload") return undefined;
  try {
    const { url } = await object(way.call(place, picture));
    // A path relative to the project, which GitLab resolves itself.
    return typeof url === "string" && /^\/uploads\/[\w./-]+$/.test(url) ? markdown(url) : undefined;
  } catch (error) {
    if (error instanceof ApiFailure) return undefined;
    throw error;
  }
}

async function attach(
  client: ForgeClient,
  place: ForgePlace,
  { opened, body, picture }: { opened: Fields; body: string; picture: Picture },
): Promise<boolean> {
  const { picture: way } = client.forge;
  if (way.way !== "attach") return false;
  try {
    const attachment = await client.object(way.call(place, opened, picture));
    const address = addressOf(attachment["browser_download_url"], client);
    await client.object(way.edit(place, opened, `${body}\n\n${markdown(address)}`));
    return true;
  } catch (error) {
    if (error instanceof ApiFailure) return false;
    throw error;
  }
}
