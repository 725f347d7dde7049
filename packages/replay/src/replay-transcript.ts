import type { GivenAnswer, LogEntry, LogEvent } from "@treadle/protocol";
import type { Player } from "./player.ts";
import { readTranscript, type FileContents, type Transcript } from "@treadle/transcripts";

/** A server with the player's models, by its API and its projects. */
export interface ReplayServer {
  /** The server's address. */
  url: string;
  token: string;
  fetch(request: Request): Promise<Response>;
  projects: {
    head(project: string): Promise<number>;
    follow(
      project: string,
      after: number,
      listener: (entries: LogEntry[]) => Promise<void> | void,
    ): () => void;
    answer(project: string, question: string, given: GivenAnswer): Promise<void>;
    stop(project: string): Promise<boolean>;
    release(project: string): Promise<void>;
    remove(project: string): Promise<void>;
  };
}

/**
 * Repeats a transcript in a new project on a server with the player's models, and returns its
 * recording. The person's part (files, messages, answers) uses the same API as the page.
 * @param onTurn called with the number of each turn, from 1, when it begins
 * @throws Error with the server's message if it refuses something
 */
export async function replayTranscript(
  transcript: Transcript,
  server: ReplayServer,
  player: Player,
  onTurn: (turn: number) => void = () => {},
): Promise<Transcript> {
  const api = apiOf(server);
  const { projects } = server;
  const [first] = transcript.turns;
  if (!first) throw new Error("The transcript holds no turn.");
  player.begin(first);
  const id = await begin(api, transcript);
  try {
    await putFiles(api, id, transcript.files);
    for (const [index, turn] of transcript.turns.entries()) {
      onTurn(index + 1);
      player.begin(turn);
      await putFiles(api, id, turn.changed);
      const { hosts, approvals, verdicts } = turn.settings;
      for (const host of hosts) await api("POST", `/api/projects/${id}/settings/hosts`, { host });
      await api("PUT", `/api/projects/${id}/approvals`, approvals);
      await api("PUT", `/api/projects/${id}/settings/verdicts`, { verdicts });
      const head = await projects.head(id);
      const answers = [...turn.answers];
      const ended = new Promise<void>((resolve, reject) => {
        const stop = projects.follow(id, head, async (entries) => {
          for (const { event } of entries) {
            if (event.type === "run-end") {
              stop();
              resolve();
            }
            if (event.type === "question") question = event.question;
            if (event.type === "suspended") await answer().catch(reject);
          }
        });
      });
      let question: Extract<LogEvent, { type: "question" }>["question"] | undefined;
      const answer = async () => {
        const given = answers.shift();
        if (!question || !given) return void (await projects.stop(id));
        const reply =
          given.kind === "approve" && question.kind === "approval"
            ? { ...given, digest: question.digest }
            : given.kind === "approve"
              ? { kind: "words" as const, text: "yes" }
              : given;
        await projects.answer(id, question.id, reply);
      };
      const { asked, pictures, model } = turn;
      const { text, mode, fix, prove, plan, open } = asked;
      const sent = { text, mode, fix, prove, plan, open, model: model.id };
      await api("POST", `/api/projects/${id}/messages`, {
        ...sent,
        ...(pictures.length > 0 ? { pictures } : {}),
      });
      await ended;
      await projects.release(id);
    }
    const lines = await api("GET", `/api/projects/${id}/transcript.jsonl`);
    return readTranscript(await lines.text());
  } finally {
    await projects.remove(id);
  }
}

type Api = (
  method: string,
  path: string,
  json?: unknown,
  conditions?: Record<string, string>,
) => Promise<Response>;

function apiOf({ fetch, token, url }: ReplayServer): Api {
  return async (method, path, json, conditions) => {
    const isBytes = Buffer.isBuffer(json) || typeof json === "string";
    const body =
      json === undefined ? null : isBytes ? new Blob([json as string]) : JSON.stringify(json);
    const type = isBytes ? "application/octet-stream" : "application/json";
    const headers = {
      authorization: `Bearer ${token}`,
      ...(body === null ? {} : { "content-type": type }),
      ...conditions,
    };
    const answer = await fetch(new Request(`${url}${path}`, { method, body, headers }));
    if (answer.ok) return answer;
    const { error } = (await answer.json().catch(() => ({}))) as { error?: { message?: string } };
    throw new Error(error?.message ?? `${method} ${path} was answered with ${answer.status}.`);
  };
}

async function begin(api: Api, { before, name, turns }: Transcript): Promise<string> {
  const { model } = turns[0]!;
  const made =
    before.length > 0
      ? await api("POST", "/api/import/log", before.map((line) => JSON.stringify(line)).join("\n"))
      : await api("POST", "/api/projects", { model: model.id, dialect: model.dialect });
  const { id } = (await made.json()) as { id: string };
  await api("PATCH", `/api/projects/${id}`, { name });
  return id;
}

async function putFiles(api: Api, id: string, files: FileContents): Promise<void> {
  const listed = (await (await api("GET", `/api/projects/${id}/files`)).json()) as {
    files: { path: string }[];
  };
  const there = new Set(listed.files.map(({ path }) => path));
  for (const [path, content] of Object.entries(files)) {
    const url = `/api/projects/${id}/files/${path.split("/").map(encodeURIComponent).join("/")}`;
    if (content === null) {
      if (there.has(path)) await api("DELETE", url);
      continue;
    }
    const bytes =
      typeof content === "string" ? Buffer.from(content) : Buffer.from(content.base64, "base64");
    const version = there.has(path) ? (await api("GET", url)).headers.get("etag") : undefined;
    await api("PUT", url, bytes, version ? { "if-match": version } : { "if-none-match": "*" });
  }
}
