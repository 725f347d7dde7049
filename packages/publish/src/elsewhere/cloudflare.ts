/**
 * Cloudflare Workers. Its API takes static assets in three requests: the manifest opens an upload session, whose token
 * authorises the uploads; the last upload returns the token that the script is sent with. Described at
 * https://developers.cloudflare.com/workers/static-assets/direct-upload/ (the upload of Pages is described nowhere).
 */
import { createHash } from "node:crypto";
import { extname } from "node:path";
import { getMimeType } from "hono/utils/mime";
import { sentence, type Sentence } from "@treadle/protocol/sentences";
import { ApiFailure } from "@treadle/common";
import { askHost, type AskHost } from "./ask-host.ts";
import { bodyOf, oddAnswer, textOf } from "./failure-of-host.ts";
import { multipart } from "./multipart.ts";
import { readSite, type SiteFile } from "./site-files.ts";
import type { Target } from "./target.ts";

const NAME = "Cloudflare";
const API = "https://api.cloudflare.com/client/v4";
/** Maximum size of a file in Workers, in bytes. */
const FILE_BYTES = 25 * 1024 * 1024;
/** The Worker's compatibility date. */
const COMPATIBILITY = "2026-01-01";

type Body = Record<string, unknown>;
type HashedFile = SiteFile & { hash: string };

export const cloudflare: Target = {
  id: "cloudflare",
  name: "Cloudflare Workers",
  carries: ["site"],
  fields: [
    { name: "account", required: true },
    { name: "script", required: false },
  ],
  tokenFor: () => "cloudflare",
  async send(release, sending) {
    if (release.kind !== "site") throw new Error("Cloudflare Workers takes only sites.");
    const { token, place, onSaid } = sending;
    const ask = askHost(NAME, API, { authorization: `Bearer ${token}` }, sending);
    const account = `/accounts/${encodeURIComponent(place.account ?? "")}/workers`;
    const name = place.script ?? release.name;
    const script = `${account}/scripts/${encodeURIComponent(name)}`;
    onSaid(sentence("sending-reading"));
    const site = await readSite(release.folder);
    const files = await hashed(site.files);
    const manifest = Object.fromEntries(
      files.map(({ path, hash, size }) => [`/${path}`, { hash, size }]),
    );
    onSaid(sentence("sending-announcing", { name: "Cloudflare" }));
    const session = resultOf(
      await ask({
        method: "POST",
        path: `${script}/assets-upload-session`,
        body: { manifest },
        again: true,
      }),
    );
    const done = await upload(ask, { account, files, session, onSaid });
    onSaid(sentence("sending-finishing", { name: "Cloudflare" }));
    const metadata = {
      compatibility_date: COMPATIBILITY,
      assets: {
        jwt: done,
        config: {
          html_handling: "auto-trailing-slash",
          not_found_handling: site.has("404.html")
            ? "404-page"
            : site.isSingle
              ? "single-page-application"
              : "none",
        },
      },
    };
    const form = multipart([
      {
        name: "metadata",
        type: "application/json",
        content: Buffer.from(JSON.stringify(metadata)),
      },
    ]);
    const { headers, body } = form;
    resultOf(await ask({ method: "PUT", path: script, headers, body, shows: true }));
    resultOf(
      await ask({
        method: "POST",
        path: `${script}/subdomain`,
        body: { enabled: true },
        again: true,
      }),
    );
    const { subdomain } = resultOf(await ask({ method: "GET", path: `${account}/subdomain` }));
    if (typeof subdomain !== "string" || subdomain === "")
      throw new ApiFailure(409, "host-refused", sentence("no-subdomain"));
    return {
      address: `https://${name}.${subdomain}.workers.dev`,
      place: { ...place, script: name },
    };
  },
};

/**
 * Uploads the files that Cloudflare does not have yet, in the requested buckets.
 * @returns the completion token
 */
async function upload(
  ask: AskHost,
  {
    account,
    files,
    session,
    onSaid,
  }: { account: string; files: HashedFile[]; session: Body; onSaid(progress: Sentence): void },
): Promise<string> {
  const buckets = Array.isArray(session["buckets"]) ? (session["buckets"] as string[][]) : [];
  const jwt = textOf(NAME, session, "jwt");
  // Nothing is missing: the session's token already is the completion token.
  if (buckets.flat().length === 0) return jwt;
  const byHash = new Map(files.map((file) => [file.hash, file]));
  const total = buckets.flat().length;
  let sent = 0;
  let completion: string | undefined;
  for (const bucket of buckets) {
    const parts = [];
    for (const hash of bucket) {
      const file = byHash.get(hash);
      if (!file) throw oddAnswer(NAME);
      const type = getMimeType(file.path) ?? "application/octet-stream";
      const content = Buffer.from((await file.read()).toString("base64"));
      parts.push({ name: hash, filename: hash, type, content });
    }
    const form = multipart(parts);
    const answer = resultOf(
      await ask({
        method: "POST",
        path: `${account}/assets/upload?base64=true`,
        headers: { ...form.headers, authorization: `Bearer ${jwt}` },
        body: form.body,
        again: true,
      }),
    );
    if (typeof answer["jwt"] === "string") completion = answer["jwt"];
    sent += bucket.length;
    onSaid(sentence("sending-files", { sent, total }));
  }
  if (completion === undefined) throw oddAnswer(NAME);
  return completion;
}

/**
 * An asset's key has 32 hexadecimal digits. It includes the extension, which decides the content
 * type.
 */
async function hashed(files: readonly SiteFile[]): Promise<HashedFile[]> {
  const all: HashedFile[] = [];
  for (const file of files) {
    if (file.size > FILE_BYTES)
      throw new ApiFailure(
        413,
        "too-large",
        sentence("sent-file-too-large", { path: file.path, megabytes: 25 }),
      );
    const hash = createHash("sha256")
      .update((await file.read()).toString("base64") + extname(file.path))
      .digest("hex")
      .slice(0, 32);
    all.push({ ...file, hash });
  }
  return all;
}

function resultOf(answer: Parameters<typeof bodyOf>[1]): Body {
  const { result } = bodyOf(NAME, answer);
  return typeof result === "object" && result !== null ? (result as Body) : {};
}
