import { namesIn } from "@treadle/common/names-in";
import { join } from "node:path";
import { isRecord, readMadeFile } from "@treadle/common/made-file";

/** Maximum size of a judge's file, in bytes: a conversation with pictures. */
const FILE_BYTES = 64 * 1024 * 1024;

/** Points of one judge for one task. */
export interface Judged {
  /** A passed check counts 1, a partly passed one ½. */
  points: number;
  /** The points of those checks during which the database was reached. */
  reached: number;
  /** Number of judged checks. */
  of: number;
}

/**
 * The results of FullStack-Bench's judges for one task; absent for a judge that has not judged it.
 */
export interface Judgement {
  frontend?: Judged;
  backend?: Judged;
  database?: Judged;
}

/**
 * Reads the judges' own log folder: `results/task<id>_<n>`, `results_backend/<id>_<n>`, `<id>/db_grade_<n>.json`. What is
 * missing or cannot be read was not judged.
 * @returns the judgements by the ids of the tasks
 */
export function readJudgements(folder: string, ids: readonly string[]): Map<string, Judgement> {
  const found = new Map<string, Judgement>();
  const add = (id: string, judge: keyof Judgement, points: number, isReached: boolean) => {
    const judgement = found.get(id) ?? {};
    const before = judgement[judge] ?? { points: 0, reached: 0, of: 0 };
    judgement[judge] = {
      points: before.points + points,
      reached: before.reached + (isReached ? points : 0),
      of: before.of + 1,
    };
    found.set(id, judgement);
  };
  const known = new Set(ids);
  for (const { id, at } of runsIn(join(folder, "results"), /^task(.+)_\d+$/)) {
    const answer = answerIn(json(at, "interact_messages.json"));
    if (known.has(id) && answer !== undefined) add(id, "frontend", answer, isReached(at));
  }
  for (const { id, at } of runsIn(join(folder, "results_backend"), /^(.+)_\d+$/)) {
    const result = json(at, "testing_result.json");
    if (known.has(id) && isRecord(result))
      add(id, "backend", result["judgement"] === "YES" ? 1 : 0, isReached(at));
  }
  for (const id of ids)
    for (const name of namesIn(join(folder, id))
      .toSorted()
      .filter((one) => /^db_grade_\d+\.json$/.test(one))) {
      const grade = json(join(folder, id), name);
      if (isRecord(grade)) add(id, "database", grade["answer"] === true ? 1 : 0, true);
    }
  return found;
}

function runsIn(folder: string, shape: RegExp): { id: string; at: string }[] {
  return namesIn(folder)
    .toSorted()
    .flatMap((name) => {
      const id = shape.exec(name)?.[1];
      return id === undefined ? [] : [{ id, at: join(folder, name) }];
    });
}

function json(folder: string, name: string): unknown {
  try {
    return JSON.parse(readMadeFile(folder, name, FILE_BYTES) ?? "null");
  } catch {
    return undefined;
  }
}

function isReached(folder: string): boolean {
  const result = json(folder, "db_interaction_result.json");
  return isRecord(result) && result["judgement"] === "YES";
}

/** The points in the browsing agent's last message, or undefined if it has none. */
function answerIn(messages: unknown): number | undefined {
  if (!Array.isArray(messages)) return undefined;
  const last: unknown = messages.findLast(
    (message) => isRecord(message) && message["role"] === "assistant",
  );
  const text = isRecord(last) ? last["content"] : undefined;
  if (typeof text !== "string") return undefined;
  if (text.includes("YES")) return 1;
  return text.includes("PARTIAL") ? 0.5 : 0;
}
