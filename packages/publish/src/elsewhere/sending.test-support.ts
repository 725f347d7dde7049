/** A release and the environment of a target, for tests of single targets. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { Place } from "@treadle/protocol";
import type { ReleaseToSend, Sending } from "./target.ts";

export interface TestSending {
  /** Holds the site in `site`, and the targets' data. */
  folder: string;
  site: ReleaseToSend;
  progress: string[];
  /** The pauses requested, in milliseconds, which take no time here. */
  slept: number[];
  /** The places reported so far. */
  places: Place[];
  ends: AbortController;
  write(files: Record<string, string>): void;
  with(more: Partial<Sending>): Sending;
  remove(): void;
}

export function testSending(): TestSending {
  const folder = mkdtempSync(join(tmpdir(), "treadle-elsewhere-"));
  const progress: string[] = [];
  const slept: number[] = [];
  const places: Place[] = [];
  const ends = new AbortController();
  const site = join(folder, "site");
  mkdirSync(site);
  return {
    folder,
    site: { kind: "site", name: "guests", number: 3, revision: "r3", folder: site },
    progress,
    slept,
    places,
    ends,
    write(files) {
      for (const [path, text] of Object.entries(files)) {
        mkdirSync(dirname(join(site, path)), { recursive: true });
        writeFileSync(join(site, path), text);
      }
    },
    with: (more) => ({
      token: "",
      place: {},
      origin: (url) => ({ url, local: false }),
      logins: {
        publicKey: async () => "",
        remoteOf: async (address, local) => ({ address, local, sshFolder: join(folder, "ssh") }),
      } as Partial<Sending["logins"]> as Sending["logins"],
      sshFolder: join(folder, "ssh"),
      folder,
      signal: ends.signal,
      clock: {
        now: () => Date.now(),
        async sleep(ms, signal) {
          slept.push(ms);
          await new Promise(setImmediate);
          signal?.throwIfAborted();
        },
      },
      onSaid: ({ text }) => progress.push(text),
      onPlace: (place) => places.push(place),
      ...more,
    }),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
