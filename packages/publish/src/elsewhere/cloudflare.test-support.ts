/**
 * A stand-in for Cloudflare's API, after
 * https://developers.cloudflare.com/workers/static-assets/direct-upload/: a token, a session for a
 * manifest whose buckets list the missing files, form uploads in base64 with the session's token,
 * and a script that needs the token of a complete upload.
 */
import { randomUUID } from "node:crypto";
import { partsOf, startStandIn, type Answer, type Asked, type StandIn } from "./stand-in.test-support.ts"; // prettier-ignore

export const CLOUDFLARE = "https://api.cloudflare.com/client/v4";
export const ACCOUNT = "0123456789abcdef0123456789abcdef";
/** Files per bucket. */
const BUCKET = 2;

type Manifest = Record<string, { hash: string; size: number }>;
interface Session {
  manifest: Manifest;
  script: string;
}

export interface CloudflareStandIn extends StandIn {
  files(address: string): Record<string, string>;
  refusal: string | undefined;
}

const ok = (result: unknown, status = 200): Answer => ({
  status,
  body: { success: true, errors: [], messages: [], result },
});
const failed = (status: number, code: number, message: string): Answer => ({
  status,
  body: { success: false, errors: [{ code, message }], messages: [], result: null },
});

export async function startCloudflare(token: string): Promise<CloudflareStandIn> {
  const blobs = new Map<string, Buffer>();
  const sessions = new Map<string, Session>();
  const completions = new Map<string, Session>();
  const live = new Map<string, { manifest: Manifest; enabled: boolean }>();
  const missingOf = ({ manifest }: Session) =>
    [...new Set(Object.values(manifest).map(({ hash }) => hash))].filter((one) => !blobs.has(one));

  function complete(session: Session): string {
    const jwt = `completion-${randomUUID()}`;
    completions.set(jwt, session);
    return jwt;
  }

  function upload(asked: Asked, session: Session): Answer {
    if (asked.query.get("base64") !== "true") return failed(400, 10015, "base64 is wanted");
    for (const [hash, { bytes }] of partsOf(asked)) {
      const content = Buffer.from(bytes.toString(), "base64");
      const known = Object.values(session.manifest).find((one) => one.hash === hash);
      if (known?.size !== content.length) return failed(400, 10016, "not of the manifest");
      blobs.set(hash, content);
    }
    return missingOf(session).length > 0
      ? ok({ jwt: null }, 202)
      : ok({ jwt: complete(session) }, 201);
  }

  function answer(asked: Asked): Answer {
    const bearer = asked.headers.authorization?.replace("Bearer ", "") ?? "";
    const at = `/accounts/${ACCOUNT}/workers`;
    if (asked.line === `POST ${at}/assets/upload`) {
      const session = sessions.get(bearer);
      return session ? upload(asked, session) : failed(401, 10001, "no such session");
    }
    if (bearer !== token) return failed(403, 10000, "Authentication error");
    if (asked.line === `GET ${at}/subdomain`) return ok({ subdomain: "ada" });
    const [, script = "", what] =
      new RegExp(`^${at}/scripts/([a-z0-9-]+)(?:/(.*))?$`).exec(asked.path) ?? [];
    if (script === "") return failed(404, 7003, "Could not route to it");
    if (what === "assets-upload-session") {
      const session: Session = { ...(asked.body() as { manifest: Manifest }), script };
      const bad = Object.entries(session.manifest).some(
        ([path, { hash }]) => !path.startsWith("/") || !/^[0-9a-f]{32}$/.test(hash),
      );
      if (bad) return failed(400, 10304, "invalid manifest");
      const missing = missingOf(session);
      const jwt = missing.length === 0 ? complete(session) : `session-${randomUUID()}`;
      sessions.set(jwt, session);
      const buckets = [];
      for (let index = 0; index < missing.length; index += BUCKET)
        buckets.push(missing.slice(index, index + BUCKET));
      return ok({ jwt, buckets });
    }
    if (what === "subdomain") {
      const one = live.get(script);
      if (one) one.enabled = true;
      return ok({ enabled: true });
    }
    if (standIn.refusal) return failed(400, 10021, standIn.refusal);
    const metadata = JSON.parse(partsOf(asked).get("metadata")!.bytes.toString()) as {
      assets: { jwt: string };
      compatibility_date?: string;
    };
    const session = completions.get(metadata.assets.jwt);
    if (!session || session.script !== script || !metadata.compatibility_date)
      return failed(400, 10100, "the assets are not complete");
    live.set(script, { manifest: session.manifest, enabled: false });
    return ok({ id: script });
  }

  const standIn: CloudflareStandIn = Object.assign(await startStandIn(answer), {
    refusal: undefined,
    files(address: string) {
      const one = live.get(/^https:\/\/([^.]+)\.ada\.workers\.dev$/.exec(address)?.[1] ?? "");
      if (!one?.enabled) return {};
      return Object.fromEntries(
        Object.entries(one.manifest).map(([path, { hash }]) => [
          path.slice(1),
          blobs.get(hash)!.toString(),
        ]),
      );
    },
  });
  return standIn;
}
