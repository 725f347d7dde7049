/**
 * GitHub Pages: a branch is pushed, and a request enables it as the site: `POST /repos/{owner}/{repo}/pages`,
 * `GET /repos/{owner}/{repo}/pages/builds/latest`, as https://docs.github.com/en/rest/pages/pages describes it.
 */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { sentence } from "@treadle/protocol/sentences";
import { ApiFailure } from "@treadle/common";
import { readGitAddress } from "@treadle/git";
import { askHost, type AskHost } from "./ask-host.ts";
import { bodyOf, failureOfHost, textOf } from "./failure-of-host.ts";
import { pushRelease } from "./push-release.ts";
import { rootedAddress } from "./rooted-addresses.ts";
import { readSite } from "./site-files.ts";
import type { Target } from "./target.ts";
import { waitUntil } from "./wait-until.ts";

const NAME = "GitHub";
const API = "https://api.github.com";
const WEB = "https://github.com";

type Body = Record<string, unknown>;

export const githubPages: Target = {
  id: "github-pages",
  name: "GitHub Pages",
  carries: ["site"],
  fields: [
    { name: "repository", required: true },
    { name: "branch", required: false },
  ],
  tokenFor: () => "github-pages",
  async send(release, sending) {
    if (release.kind !== "site") throw new Error("GitHub Pages takes only sites.");
    const { token, place, onSaid } = sending;
    const [owner = "", repository = ""] = nameOf(place.repository ?? "");
    const branch = place.branch ?? "gh-pages";
    const headers = {
      authorization: `Bearer ${token}`,
      accept: "application/vnd.github+json",
      "x-github-api-version": "2022-11-28",
    };
    const ask = askHost(NAME, API, headers, sending);
    const at = `/repos/${encodeURIComponent(owner)}/${encodeURIComponent(repository)}`;
    onSaid(sentence("sending-asking", { name: "GitHub" }));
    bodyOf(NAME, await ask({ method: "GET", path: at }));
    const pages = await pagesOf(ask, at, branch);
    const own = repository.toLowerCase() === `${owner.toLowerCase()}.github.io`;
    const shown =
      pages ?? `https://${owner.toLowerCase()}.github.io/${own ? "" : `${repository}/`}`;
    await checkBase(release.folder, shown);
    const web = sending.origin(WEB);
    const address = readGitAddress(`${web.url}/${owner}/${repository}.git`);
    const login = { user: "x-access-token", password: token };
    const remote = { address, login, local: web.local, sshFolder: sending.sshFolder };
    const single = (await readSite(release.folder)).isSingle
      ? await readFile(join(release.folder, "index.html"), "utf8")
      : undefined;
    const commit = await pushRelease(
      release,
      {
        remote,
        branch,
        // Disables Jekyll; a single-page site answers other addresses with its page.
        added: async () => ({
          ".nojekyll": "",
          ...(single !== undefined && { "404.html": single }),
        }),
      },
      sending,
    );
    if (pages === undefined) {
      const made = await ask({
        method: "POST",
        path: `${at}/pages`,
        shows: true,
        body: { build_type: "legacy", source: { branch, path: "/" } },
      });
      // 409: somebody, or GitHub itself because of the branch's name, has enabled Pages meanwhile.
      if (made.status !== 409) bodyOf(NAME, made);
    }
    onSaid(sentence("sending-finishing", { name: "GitHub" }));
    const latest = () => ask({ method: "GET", path: `${at}/pages/builds/latest`, shows: true });
    // The branch may be unchanged since a build that failed: only this request starts another
    // build.
    if (hasFailed(await latest(), commit))
      bodyOf(NAME, await ask({ method: "POST", path: `${at}/pages/builds`, again: true }));
    await waitUntil(NAME, async () => builtOf(await latest(), commit), sending);
    const site = bodyOf(NAME, await ask({ method: "GET", path: `${at}/pages` }));
    return { address: textOf(NAME, site, "html_url"), place: { ...place, branch } };
  },
};

/**
 * Parses `owner/name`, or the repository's address, into owner and name.
 * @throws ApiFailure 400 `bad-place`
 */
function nameOf(text: string): string[] {
  const found = /^(?:https:\/\/github\.com\/)?([\w.-]+)\/([\w.-]+?)(?:\.git)?\/?$/.exec(text);
  if (!found)
    throw new ApiFailure(400, "bad-place", sentence("place-invalid", { text, kind: "github" }));
  return found.slice(1);
}

/**
 * The address of the existing pages; undefined if there are none.
 * @throws ApiFailure if they have another source
 */
async function pagesOf(ask: AskHost, at: string, branch: string): Promise<string | undefined> {
  const answer = await ask({ method: "GET", path: `${at}/pages` });
  if (answer.status === 404) return undefined;
  const pages = bodyOf(NAME, answer);
  const source = (pages["source"] ?? {}) as Body;
  if (pages["build_type"] === "workflow" || source["branch"] !== branch || source["path"] !== "/")
    throw new ApiFailure(
      409,
      "branch-taken",
      sentence("pages-taken", {
        source: typeof source["branch"] === "string" ? source["branch"] : "GitHub Actions",
        branch,
      }),
    );
  return textOf(NAME, pages, "html_url");
}

/**
 * Checks that a site works below the path at which GitHub serves project pages.
 * @throws ApiFailure 409 `base-path` if the site has root-relative addresses
 */
async function checkBase(folder: string, shown: string): Promise<void> {
  const base = URL.parse(shown)?.pathname ?? "/";
  if (base === "/") return;
  const rooted = await rootedAddress(folder);
  if (rooted)
    throw new ApiFailure(
      409,
      "base-path",
      sentence("base-path", {
        address: shown,
        file: rooted.file,
        asked: rooted.address,
        host: new URL(shown).host,
      }),
    );
}

const hasFailed = ({ body }: Parameters<typeof bodyOf>[1], commit: string) => {
  const { status, commit: revision } = (body ?? {}) as Body;
  return revision === commit && status === "errored";
};

function builtOf(answer: Parameters<typeof bodyOf>[1], commit: string): true | undefined {
  // There is no build yet.
  if (answer.status === 404) return undefined;
  const { status, commit: revision, error } = bodyOf(NAME, answer);
  if (revision !== commit) return undefined;
  if (status === "errored") throw failureOfHost(NAME, { status: 422, headers: {}, body: error });
  return status === "built" ? true : undefined;
}
