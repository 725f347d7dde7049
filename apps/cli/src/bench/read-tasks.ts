/** A task of a benchmark: what to build, and how to check it. */
export interface Task {
  /** Name of its folder. */
  id: string;
  instruction: string;
  /**
   * Acceptance checks in the format of `.treadle/checks.md`, which the model never sees; absent:
   * none.
   */
  checks?: string | undefined;
  /**
   * The expected content of the app's database, in FullStack-Bench's format; absent if not
   * specified.
   */
  structures?: string[] | undefined;
}

/** Number of digits of a folder name, as in WebGen-Bench. */
const DIGITS = 6;
const NAME = /^[\w-][\w.-]{0,63}$/;
/** Reserved names beside the tasks' folders: results, and `now` for tasks in progress. */
const OURS = new Set(["results.jsonl", "report.html", "report.json", "now"]);

/**
 * Parses tasks as JSON Lines. `instruction` may be called `prompt`; a task without an `id` is named
 * by its position; `checks` are a text, or a list of `{ name, steps }` with steps in plain words.
 * Other fields are ignored.
 * @returns the tasks in order, or a message about the invalid line
 */
export function readTasks(text: string): { tasks: Task[] } | { wrong: string } {
  const tasks: Task[] = [];
  const places = new Map<string, number>();
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    if (line.trim() === "") continue;
    const place = index + 1;
    const task = readTask(line, tasks.length + 1);
    if (typeof task === "string") return { wrong: `Line ${place}: ${task}` };
    const first = places.get(task.id);
    if (first !== undefined)
      return { wrong: `Line ${place}: the id ${task.id} is already in line ${first}.` };
    places.set(task.id, place);
    tasks.push(task);
  }
  return tasks.length > 0 ? { tasks } : { wrong: "There is no task in it." };
}

function readTask(line: string, place: number): Task | string {
  let given: unknown;
  try {
    given = JSON.parse(line);
  } catch {
    return "that is not a JSON object.";
  }
  if (typeof given !== "object" || given === null || Array.isArray(given))
    return "that is not a JSON object.";
  const {
    id = place,
    instruction,
    prompt,
    checks,
    data_structures: structures,
  } = given as Record<string, unknown>;
  const words = instruction ?? prompt;
  if (typeof words !== "string" || words.trim() === "")
    return "it has no “instruction” that says what to build.";
  const name = nameOf(id);
  if (name === undefined)
    return "its “id” has to be a number, or letters, digits, dots and dashes that name nothing else there: it names a folder.";
  const read = readChecks(checks);
  if ("wrong" in read) return read.wrong;
  const task = { id: name, instruction: words, checks: read.checks };
  if (structures === undefined) return task;
  return Array.isArray(structures) && structures.every((one) => typeof one === "string")
    ? { ...task, structures }
    : "its “data_structures” have to be a list of texts.";
}

function nameOf(id: unknown): string | undefined {
  if (typeof id === "number")
    return Number.isSafeInteger(id) && id >= 0 ? String(id).padStart(DIGITS, "0") : undefined;
  if (typeof id !== "string" || !NAME.test(id) || OURS.has(id.toLowerCase())) return undefined;
  return /^\d+$/.test(id) ? id.padStart(DIGITS, "0") : id;
}

function readChecks(given: unknown): { checks?: string } | { wrong: string } {
  if (given === undefined || given === null) return {};
  if (typeof given === "string") return given.trim() === "" ? {} : { checks: given };
  const wrong = "its “checks” have to be a text, or a list of { name, steps }.";
  if (!Array.isArray(given)) return { wrong };
  const parts: string[] = [];
  for (const check of given as unknown[]) {
    const { name, steps } = (check ?? {}) as { name?: unknown; steps?: unknown };
    if (typeof name !== "string" || !Array.isArray(steps)) return { wrong };
    if (!steps.every((step): step is string => typeof step === "string")) return { wrong };
    // One line each, so that the content of a name or step cannot become another one.
    const lines = [`## ${oneLine(name)}`, "", ...steps.map((step) => `- ${oneLine(step)}`)];
    parts.push(lines.join("\n"));
  }
  return parts.length > 0 ? { checks: `${parts.join("\n\n")}\n` } : {};
}

const oneLine = (text: string) => text.replaceAll(/\s+/g, " ").trim();
