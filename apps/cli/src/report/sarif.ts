import { join, sep } from "node:path";
import type { Evidence } from "@treadle/protocol";
import { judge } from "@treadle/protocol/evidence";
import { plain } from "../terminal/plain.ts";
import type { Finding } from "./findings.ts";

const RULES: Record<Finding["rule"], string> = {
  install: "The project's dependencies can be installed",
  build: "The project builds, and its types are right if it checks them",
  serve: "The project is served, and no address of it answers with an error",
  page: "The page shows something that can be read",
  console: "The page throws nothing",
  check: "The project's own checks pass",
  host: "Every outside host that the project asks for can be reached",
  "dead-control": "Every control does something",
  "dead-link": "Every link leads somewhere",
  "never-ran": "All code that was changed is run by a look or a check",
  "gone-after-reload": "What is added is there after a reload",
  "gone-after-restart": "What is added is there after the server was started again",
  "never-written": "What is added is written to the app's database",
  unclean: "A fresh copy comes up with the dependencies of its lock files",
  "unclean-untried": "Whether a fresh copy comes up is tried",
  "made-by-command": "The revision is seen without what commands wrote beside its sources",
  "tests-failed": "The project's own tests pass",
  "tests-endless": "The project's own tests end by themselves",
  "postgres-refused": "The app reaches the PostgreSQL that it asks for",
  "no-postgres-in-tab": "The project runs where its PostgreSQL can be reached",
};

/** The part of a SARIF log that is written here. */
export interface SarifLog {
  $schema: string;
  version: "2.1.0";
  runs: {
    tool: {
      driver: {
        name: string;
        version: string;
        rules: { id: string; shortDescription: { text: string } }[];
      };
    };
    columnKind: "utf16CodeUnits";
    results: SarifResult[];
    properties: Record<string, string>;
  }[];
}

interface SarifResult {
  ruleId: string;
  ruleIndex: number;
  level: Finding["level"];
  message: { text: string };
  locations: {
    physicalLocation: {
      artifactLocation: { uri: string; uriBaseId: "%SRCROOT%" };
      region: { startLine: number; startColumn: number };
    };
  }[];
}

/**
 * The findings as SARIF 2.1.0, for code scanning services.
 * @param fallback the file for findings without a place: some services require one
 * @param within path of the project's folder in its repository; empty: it is the root, or in none
 * @see https://docs.oasis-open.org/sarif/sarif/v2.1.0/
 */
export function sarifOf(
  evidence: Evidence,
  findings: readonly Finding[],
  { version, fallback, within = "" }: { version: string; fallback: string; within?: string },
): SarifLog {
  const names = Object.keys(RULES) as Finding["rule"][];
  const { verdict, reason } = judge(evidence);
  return {
    $schema: "https://json.schemastore.org/sarif-2.1.0.json",
    version: "2.1.0",
    runs: [
      {
        tool: {
          driver: {
            name: "treadle",
            version,
            rules: names.map((name) => ({
              id: `treadle/${name}`,
              shortDescription: { text: RULES[name] },
            })),
          },
        },
        columnKind: "utf16CodeUnits",
        results: findings.map(({ rule, level, message, place }) => ({
          ruleId: `treadle/${rule}`,
          ruleIndex: names.indexOf(rule),
          level,
          message: { text: withoutLinks(message) },
          locations: locationsOf(place ?? { path: fallback }, within),
        })),
        properties: { verdict, reason: plain(reason), revision: evidence.revision },
      },
    ],
  };
}

/**
 * Neutralises text of a project: SARIF treats `[words](address)` as a link (3.11.6), and terminals
 * obey control characters.
 */
const withoutLinks = (words: string): string => plain(words).replace(/[\\[\]]/g, "\\$&");

function locationsOf(
  { path, line = 1, column = 1 }: { path: string; line?: number; column?: number },
  within: string,
): SarifResult["locations"] {
  const uri = join(within, path).split(sep).map(encodeURIComponent).join("/");
  return [
    {
      physicalLocation: {
        artifactLocation: { uri, uriBaseId: "%SRCROOT%" },
        region: { startLine: Math.max(1, line), startColumn: Math.max(1, column) },
      },
    },
  ];
}
