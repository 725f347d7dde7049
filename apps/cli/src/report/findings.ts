import type { Evidence, FindingCode, PageReport, ProvesNothing } from "@treadle/protocol";
import {
  EVIDENCE_PARTS,
  filePlaces,
  findingWords,
  type EvidencePart,
  type PlaceInSource,
} from "@treadle/protocol/evidence";
import { toProjectPath, type ProjectPath } from "@treadle/protocol/project-path";

/** Maximum number of findings of one part: a build can print thousands of lines. */
const OF_ONE_PART = 50;

/** Something that prevents a verification, or is worth knowing. */
export interface Finding {
  /** The rule of docs/verdict.md. */
  rule: EvidencePart | "check" | "host" | FindingCode;
  level: "error" | "warning" | "note";
  message: string;
  /** A place in one of the project's own files. */
  place?: PlaceInSource;
  /** Hash of the screenshot that belongs to the finding. */
  picture?: string;
}

const WHY_NOTHING: Record<ProvesNothing, string> = {
  "already-held": "expects what had held before it did anything",
  "no-expectation": "expects nothing",
  "passed-before": "passes on the revision before as well",
  "one-value": "holds for the value that it types alone",
  "other-code": "runs nothing of what was changed",
  "only-message": "sees a message alone, while nothing of what it typed is kept",
  "not-kept": "adds what is gone after a reload and never reached the database",
};

type Files = { has(path: ProjectPath): boolean };

/** The failures and open points of a project, in the order of checking; each place once. */
export function findingsOf(evidence: Evidence, files: Files): Finding[] {
  const found = [
    ...EVIDENCE_PARTS.flatMap((part) => ofPart(evidence, part, files)),
    ...(evidence.checks ?? []).flatMap(({ name, state, steps }): Finding[] => {
      if (state === "held") return [];
      const result = steps.at(-1)?.said ?? "it was not run";
      const place = { path: toProjectPath(".treadle/checks.md"), line: 1, column: 1 };
      return [
        {
          rule: "check",
          level: state === "failed" ? "error" : "warning",
          message: `The check “${name}”: ${result}`,
          place: files.has(place.path) ? place : undefined,
        },
      ];
    }),
    ...(evidence.checks ?? []).flatMap((check): Finding[] =>
      check.provesNothing === undefined
        ? []
        : [
            {
              rule: "check",
              level: "warning",
              message: `The check “${check.name}” proves nothing: it ${WHY_NOTHING[check.provesNothing]}`,
            },
          ],
    ),
    ...(evidence.findings ?? []).map((finding): Finding => {
      const place = finding.place === undefined ? undefined : firstPlace(finding.place, files);
      return {
        rule: finding.code,
        level: finding.code.endsWith("-untried") ? "note" : "warning",
        // The file's line, if known, is shown beside the words.
        message: findingWords(place ? { ...finding, place: undefined } : finding),
        place,
        picture: finding.picture?.hash,
      };
    }),
    ...(evidence.wanted ?? []).map(({ host, why }): Finding => {
      const words = why === "not-allowed" ? "is not allowed to" : "could not";
      return { rule: "host", level: "note", message: `Wanted ${host}, which it ${words} reach` };
    }),
  ];
  const seen = new Set<string>();
  return found.filter((finding) => {
    const key = JSON.stringify(finding);
    return !seen.has(key) && seen.add(key);
  });
}

function ofPart(evidence: Evidence, rule: EvidencePart, files: Files): Finding[] {
  const { state, summary, detail = "" } = evidence.parts[rule];
  if (state === "held" || state === "inapplicable") return [];
  if (state !== "failed")
    return [{ rule, level: "warning", message: `${rule} could not be seen: ${summary}` }];
  const placed =
    rule === "console"
      ? evidence.pages.flatMap((page) => thrownIn(page, files))
      : `${summary}\n${detail}`.split("\n").flatMap((line) => {
          const place = firstPlace(line, files);
          return place ? [{ message: line.trim(), place }] : [];
        });
  if (placed.length === 0) return [{ rule, level: "error", message: summary }];
  return placed.slice(0, OF_ONE_PART).map((finding) => ({ rule, level: "error", ...finding }));
}

function thrownIn({ uncaughtErrors, consoleErrors }: PageReport, files: Files) {
  return [...uncaughtErrors, ...consoleErrors].map(({ message, source = "" }) => ({
    message: message.split("\n", 1)[0] ?? "",
    place: firstPlace(source, files),
  }));
}

const firstPlace = (text: string, files: Files): PlaceInSource | undefined =>
  filePlaces(text, files).find(({ place }) => place)?.place;
