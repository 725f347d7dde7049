import { setImmediate } from "node:timers/promises";
import { spellingsOf } from "@treadle/egress/spellings";
import { sentence, type Sentence } from "@treadle/protocol/sentences";
import { finding } from "../finding.ts";
import {
  DO_WITH_WRITTEN,
  isLocal,
  isNoPassword,
  isPlaceholder,
  SECRET_RULES,
} from "./secret-rules.ts";
import { importsOf } from "../files/imports.ts";
import { piecesBetween, type NamedPieces } from "../files/named-pieces.ts";
import { asIs, spelledOut, type Reading } from "../files/spelled-out.ts";
import type { Found, GateFile, NamedValue } from "../types.ts";

/** Minimum length of the project's own values; shorter ones match by chance. */
const SHORTEST = 10;
/** Maximum number of findings per file: a file full of keys is one problem. */
const MOST_OF_FILE = 20;
const MOST_OWN = 200;
/** Number of findings in all files together after which secretlint is no longer run. */
const MOST_IN_ALL = 200;
/** Size in characters from which on other tasks may run between two rules. */
const LARGE = 64 * 1024;
const CALLED_SECRET = /KEY|SECRET|TOKEN|PASS(?:WORD|WD)?|PRIVATE|CREDENTIAL|DSN|SALT/i;
/**
 * Bundlers put variables with this prefix into pages, so keys in them are meant to be public;
 * passwords are not.
 */
const FOR_PAGES = /^(?:NEXT_PUBLIC|VITE|PUBLIC|REACT_APP|NUXT_PUBLIC|EXPO_PUBLIC)_/;
const NEVER_FOR_PAGES = /SECRET|PASS(?:WORD|WD)|PRIVATE|SERVICE/i;
const MEANT_PUBLIC = /ANON|PUBLISHABLE|PUBLIC_?KEY|SITE_?KEY|_(?:URL|URI|HOST|DOMAIN|ID)$/i;
const CODE = /\.(?:[cm]?[jt]sx?|vue|svelte|astro|py|rb|go|php|java|kt)$/i;
const NO_APP =
  /(?:^|\/)(?:tests?|__tests__|e2e|specs?|fixtures|mocks?|docs|examples?)\/|(?:^|\/)test_[^/]*$|[._](?:test|spec|stories)\.\w+$/i;
/** Values that providers issue as public, whatever their names. */
const PUBLIC_VALUE = /^(?:pk_(?:live|test)_|sb_publishable_|https?:\/\/[^@]*$)/;

/** Whether a file is public, or part of the app's sources. */
type Kind = "source" | "output";

const DO = {
  source: DO_WITH_WRITTEN,
  output: sentence("gate-do-output"),
} satisfies Record<Kind, Sentence>;

/**
 * Finds secrets in files: by the formats of known kinds, ours and secretlint's, and in build output
 * also by the values of the project's settings and `.env`. Format examples are ignored.
 */
export async function parse(
  files: readonly GateFile[],
  kind: Kind,
  own: readonly NamedValue[] = [],
): Promise<Found[]> {
  const secrets = (kind === "output" ? own.filter(isSecret).slice(0, MOST_OWN) : []).map(
    ({ name, value }) => ({ name, spellings: spellingsOf(value) }),
  );
  const found: Found[] = [];
  const importedPieces = piecesBetween(files, importsOf(files));
  for (const file of files) {
    const imported = importedPieces(file);
    found.push(
      ...(await findInFile(file, kind, {
        secrets,
        imported,
        withSecretlint: found.length < MOST_IN_ALL,
      })),
    );
    // Yields to other requests on the same thread.
    await setImmediate();
  }
  return found;
}

async function findInFile(
  file: GateFile,
  kind: Kind,
  {
    secrets,
    imported,
    withSecretlint,
  }: {
    secrets: readonly { name: string; spellings: string[] }[];
    imported: NamedPieces;
    withSecretlint: boolean;
  },
): Promise<Found[]> {
  const { path, text } = file;
  const found: Found[] = [];
  const seen = new Set<string>();
  const spans: [number, number][] = [];
  let isHidden = false;
  const report = (what: string, value: string, from: number, to: number) => {
    spans.push([from, to]);
    if (seen.has(value) || seen.size >= MOST_OF_FILE) return;
    seen.add(value);
    found.push(
      finding({
        check: "secrets",
        severity: "serious",
        title: titleOf(what, kind, isHidden),
        // A file may be named after its secret, so the value is masked.
        where: `${path.replaceAll(value, "…")}:${lineOf(text, from)}`,
        todo: DO[kind],
      }),
    );
  };
  const isTold = (from: number, to: number) =>
    spans.some(([start, end]) => from < end && start < to);
  const search = async ({ text: reading, at, until }: Reading) => {
    // Findings in the original text are not repeated for its decoded form.
    const spansBefore = spans.length;
    const add = (what: string, value: string, from: number, to: number) => {
      const [first, end] = [at(from), until(to)];
      // A match that occurs in the original text was judged there, with more context.
      if (isHidden && text.slice(first, end) === reading.slice(from, to)) return;
      if (!spans.slice(0, spansBefore).some(([start, last]) => first < last && start < end))
        report(what, value, first, end);
    };
    for (const { name, spellings } of secrets) {
      const spelling = spellings.find((one) => reading.includes(one));
      if (spelling === undefined) continue;
      const index = reading.indexOf(spelling);
      add(`The value of ${name}`, spelling, index, index + spelling.length);
    }
    for (const { kind: what, shape, counts, isOfCode } of SECRET_RULES) {
      if (isOfCode && (kind === "output" || !CODE.test(path) || NO_APP.test(path))) continue;
      for (const match of reading.matchAll(shape)) {
        const value = match.groups?.["value"] ?? match[0];
        const [from, to] = [match.index, match.index + match[0].length];
        if (seen.size >= MOST_OF_FILE) break;
        if (isTold(at(from), until(to))) continue;
        if (!isPlaceholder(value) && counts?.(match, reading) !== false) add(what, value, from, to);
      }
      if (reading.length > LARGE) await setImmediate();
    }
    if (!withSecretlint || seen.size >= MOST_OF_FILE) return;
    const { runSecretlint } = await import("./run-secretlint.ts");
    for (const { kind: what, from, to } of await runSecretlint(
      { path, text: reading },
      MOST_OF_FILE,
    )) {
      const value = reading.slice(from, to);
      if (isHidden && text.slice(at(from), until(to)) === value) continue;
      if (!isTold(at(from), until(to)) && !isPlaceholder(value) && isAddressSecret(value))
        report(what, value, at(from), until(to));
    }
  };
  await search(asIs(text));
  const decoded = spelledOut(text, imported);
  // Nobody finds a key in the decoded text by searching the file for it.
  isHidden = true;
  if (decoded) await search(decoded);
  return found;
}

/** Whether a value can be a secret: false for an address with a placeholder password or a local host. */
function isAddressSecret(value: string): boolean {
  const [, password, host] = /^\w+:\/\/[^:@/]*:([^@/]*)@([^/:?#]*)/.exec(value) ?? [];
  return password === undefined || (!isNoPassword(password) && !isLocal(host ?? ""));
}

function isSecret({ name, value }: NamedValue): boolean {
  return (
    value.length >= SHORTEST &&
    CALLED_SECRET.test(name) &&
    !MEANT_PUBLIC.test(name) &&
    (!FOR_PAGES.test(name) || NEVER_FOR_PAGES.test(name)) &&
    !PUBLIC_VALUE.test(value) &&
    !isAnonToken(value) &&
    !isPlaceholder(value)
  );
}

/** Whether a JWT is Supabase's public key for browsers, which looks like its secret one. */
function isAnonToken(value: string): boolean {
  const [, claims = ""] = value.split(".");
  return Buffer.from(claims, "base64url").toString("utf8").includes('"anon"');
}

const lineOf = (text: string, index: number) => text.slice(0, index).split("\n").length;

function titleOf(what: string, kind: "source" | "output", isHidden: boolean): Sentence {
  if (kind === "source")
    return isHidden
      ? sentence("gate-hidden-source", { what })
      : sentence("gate-secret-source", { what });
  return isHidden
    ? sentence("gate-hidden-output", { what })
    : sentence("gate-secret-output", { what });
}
