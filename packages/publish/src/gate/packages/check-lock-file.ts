import { sentence, type Sentence } from "@treadle/protocol/sentences";
import { finding } from "../finding.ts";
import { isCopyleft } from "./copyleft.ts";
import { isRepository, type LockedPackage, type LockedPackages } from "./locked-packages.ts";
import type { Found } from "../types.ts";

/** Protocols without encryption, which anyone on the way can read and change. */
const OPEN = new Set(["http:", "git:", "git+http:"]);
const NO_LICENCE = /^\s*(?:UNLICENSED|none|no licen[cs]e)?\s*$/i;
const NAMED_REGISTRIES = ["registry.npmjs.org", "registry.yarnpkg.com"];
const REGISTRIES = [...NAMED_REGISTRIES, "npm.jsr.io"];

/** Names and versions of the registry packages that are part of the running app. */
export function packagesIn({ packages }: LockedPackages): Record<string, string[]> {
  const versions: Record<string, string[]> = Object.create(null) as Record<string, string[]>;
  for (const { name, version, from, isDev } of packages) {
    // A package from a repository or a folder differs from the registry's package of that name.
    if (isDev || version === "" || from === "elsewhere" || isRepository(from)) continue;
    const known = (versions[name] ??= []);
    if (!known.includes(version)) known.push(version);
  }
  return versions;
}

/**
 * Checks the packages of the app in a lock file: their licences, and whether they are the intended
 * ones.
 */
export function checkLockFile({ file, packages }: LockedPackages): {
  found: Found[];
  unchecked: string[];
} {
  const usual = usualOrigin(packages);
  const found = packages.flatMap((one) => {
    const where = `${file}: ${one.version === "" ? one.name : `${one.name}@${one.version}`}`;
    return [...ofOrigin(where, one, usual), ...ofLicence(where, one)];
  });
  const weak = packages.filter((one) => one.isWeak);
  if (weak.length > 0)
    found.push(
      finding({
        check: "packages",
        severity: "minor",
        title: sentence("gate-weak"),
        where: `${file}: ${weak[0]!.name}@${weak[0]!.version}${weak.length > 1 ? ` and ${weak.length - 1} more` : ""}`,
        todo: sentence("gate-do-weak"),
      }),
    );
  const out = packages.filter(({ isDev }) => !isDev);
  const unchecked =
    out.length > 0 && out.every(({ licence }) => licence === undefined)
      ? ["Licences of its packages were not checked: no installed package states one."]
      : [];
  return { found, unchecked };
}

const hostOf = ({ from }: LockedPackage) => (from instanceof URL ? from.hostname : undefined);
const originOf = ({ from }: LockedPackage) =>
  from instanceof URL ? `${from.protocol}//${from.host}` : undefined;

/**
 * The origin of more than half of the packages; undefined if there is none. It may be a private registry, even one
 * without encryption.
 */
function usualOrigin(all: readonly LockedPackage[]): string | undefined {
  const counts = new Map<string, number>();
  for (const origin of all.flatMap((one) => originOf(one) ?? []))
    counts.set(origin, (counts.get(origin) ?? 0) + 1);
  const [first] = [...counts].toSorted(([, a], [, b]) => b - a);
  return first && first[1] > all.length / 2 && first[1] > 1 ? first[0] : undefined;
}

/** Whether an archive's path in a registry names another package: `/@types/node/-/node-24.0.0.tgz`. */
function isAnother({ from, name }: LockedPackage): boolean {
  if (!(from instanceof URL) || !NAMED_REGISTRIES.includes(from.hostname)) return false;
  const [, called] =
    /^\/(.+?)\/-\//.exec(from.pathname.replace(/%2f/gi, "/").replace(/%40/g, "@")) ?? [];
  return called !== undefined && called.toLowerCase() !== name.toLowerCase();
}

function ofOrigin(where: string, one: LockedPackage, usual: string | undefined): Found[] {
  const { from } = one;
  if (from === "elsewhere") return [];
  const host = hostOf(one);
  const found = (
    severity: Found["severity"],
    title: string | Sentence,
    todo: string | Sentence,
  ): Found =>
    finding({
      check: "packages",
      severity,
      title,
      where,
      todo,
    });
  const isLocal = host !== undefined && /^(?:localhost|127\.0\.0\.1|\[::1\])$/.test(host);
  const isUsual = host !== undefined && originOf(one) === usual;
  const isOwn = isLocal || (isUsual && !REGISTRIES.includes(host));
  if (from instanceof URL && OPEN.has(from.protocol) && !isOwn)
    return [
      found("serious", sentence("gate-plain", { host: String(host) }), sentence("gate-do-plain")),
    ];
  if (isAnother(one))
    return [found("serious", sentence("gate-another"), sentence("gate-do-another"))];
  if (!one.hasChecksum)
    return [found("serious", sentence("gate-no-checksum"), sentence("gate-do-checksum"))];
  if (host !== undefined && !isUsual && !REGISTRIES.includes(host))
    return [found("minor", sentence("gate-odd-host", { host }), sentence("gate-do-host"))];
  return [];
}

function ofLicence(where: string, { isDev, licence }: LockedPackage): Found[] {
  // Build and test tools are not distributed.
  if (isDev || licence === undefined) return [];
  if (NO_LICENCE.test(licence))
    return [
      finding({
        check: "licences",
        severity: "minor",
        title: sentence("gate-no-licence"),
        where,
        todo: "Ask its maker for one, or use another package: without a licence nobody else may pass it on.",
      }),
    ];
  // No licence is that long, and the parser recurses into brackets.
  if (licence.length > 1_000 || !isCopyleft(licence)) return [];
  return [
    finding({
      check: "licences",
      severity: "serious",
      title: sentence("gate-licence", { licence: licence.slice(0, 60) }),
      where,
      todo: sentence("gate-do-licence"),
    }),
  ];
}
