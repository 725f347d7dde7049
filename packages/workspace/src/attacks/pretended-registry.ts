/** A package registry on loopback with a few tiny packages, which records its requests. */
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

export interface FakePackage {
  name: string;
  version: string;
  /** Fields of package.json besides name and version. */
  fields?: object;
  files: Record<string, string>;
}

export interface FakeRegistry {
  url: string;
  /** Requested paths, in order. */
  asked: string[];
  /**
   * From now on, accepts requests without answering. `asked` resolves at the first request, `gone`
   * when its client has disconnected.
   */
  hang(): { asked: Promise<void>; gone: Promise<void> };
  answers(): void;
  /** Stops listening. */
  close(): void;
}

export async function startRegistry(packages: readonly FakePackage[]): Promise<FakeRegistry> {
  const asked: string[] = [];
  const archives = new Map<string, Buffer>();
  const descriptions = new Map<string, { name: string; versions: Record<string, object> }>();
  let hanging: ((response: ServerResponse) => void) | undefined;
  const server = createServer((request, response) => {
    const path = decodeURIComponent(request.url ?? "");
    asked.push(path);
    if (hanging) return hanging(response);
    const archive = archives.get(path);
    if (archive) return void response.end(archive);
    const found = descriptions.get(path.slice(1));
    if (!found) return void response.writeHead(404).end("{}");
    const latest = Object.keys(found.versions).at(-1);
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify({ ...found, "dist-tags": { latest } }));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;

  for (const { name, version, fields, files } of packages) {
    const archive = pack({
      ...files,
      "package.json": JSON.stringify({ name, version, ...fields }),
    });
    const path = `/${name}/-/${name.split("/").at(-1)}-${version}.tgz`;
    archives.set(path, archive);
    const entry = descriptions.get(name) ?? { name, versions: {} };
    entry.versions[version] = {
      name,
      version,
      ...fields,
      dist: {
        tarball: new URL(path, url).href,
        integrity: `sha512-${createHash("sha512").update(archive).digest("base64")}`,
      },
    };
    descriptions.set(name, entry);
  }

  return {
    url,
    asked,
    hang() {
      const was = Promise.withResolvers<void>();
      const gone = Promise.withResolvers<void>();
      hanging = (response) => {
        was.resolve();
        response.on("close", gone.resolve);
      };
      return { asked: was.promise, gone: gone.promise };
    },
    answers() {
      hanging = undefined;
    },
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

function pack(files: Record<string, string>): Buffer {
  const folder = mkdtempSync(join(tmpdir(), "treadle-pack-"));
  try {
    for (const [path, text] of Object.entries(files)) {
      const file = join(folder, "package", path);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, text, { mode: 0o755 });
    }
    execFileSync("tar", ["-czf", "archive.tgz", "package"], { cwd: folder });
    return readFileSync(join(folder, "archive.tgz"));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
