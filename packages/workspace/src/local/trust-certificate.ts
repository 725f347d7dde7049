import { lstatSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Bind } from "./sandbox-command.ts";

/** Path, inside the sandbox, of the file with the additional certificates that Node trusts. */
const NODE_PLACE = "/run/treadle/trusted.pem";
/** Paths of this system's certificates, used by programs without their own. */
const SYSTEM_PLACES = [
  "/etc/ssl/certs/ca-certificates.crt",
  "/etc/ssl/cert.pem",
  "/etc/ssl/ca-bundle.pem",
];

export const TRUST_ENV = { NODE_EXTRA_CA_CERTS: NODE_PLACE };

/**
 * Makes Node and other programs in a sandbox trust a certificate.
 * @param folder on this machine, readable in the sandbox; two files are written there
 */
export function trustInside(folder: string, certificate: string): Bind[] {
  const source = join(folder, "trusted.pem");
  writeFileSync(source, certificate, { mode: 0o644 });
  const binds: Bind[] = [{ source, target: NODE_PLACE }];
  const system = SYSTEM_PLACES.find((path) => lstatSync(path, { throwIfNoEntry: false })?.isFile());
  if (system !== undefined) {
    const all = join(folder, "system-trusted.pem");
    writeFileSync(all, `${readFileSync(system, "utf8").trimEnd()}\n${certificate}`, {
      mode: 0o644,
    });
    binds.push({ source: all, target: system });
  }
  return binds;
}
