import { randomBytes } from "node:crypto";
import type { ProjectPath } from "@treadle/protocol";
import { toProjectPath } from "@treadle/protocol/project-path";
import type { FileStream, Workspace } from "@treadle/workspace";
import type { Transfer } from "../inside/transfer.ts";
import { sentence } from "@treadle/protocol/sentences";
import { ApiFailure } from "@treadle/common";

/** Time limit of a transfer, in milliseconds. */
const TRANSFER_MS = 5 * 60_000;

/** The request without the temporary file. */
export type TransferAsked = { file: ProjectPath } & (
  | { do: "file-out" | "file-in" }
  | { do: "table-out" | "table-in"; table: string }
);

/** Path of a temporary file: in no revision, and not listed as a database. */
const passage = (ending: string) =>
  toProjectPath(`.data/transfer-${randomBytes(8).toString("hex")}.${ending}`);

async function perform(
  workspace: Workspace,
  asked: TransferAsked,
  other: ProjectPath,
): Promise<string> {
  const complete = { ...asked, other } as Transfer;
  const exit = await workspace.run("treadle-db transfer", {
    env: { TREADLE_DB_TRANSFER: JSON.stringify(complete) },
    timeoutMs: TRANSFER_MS,
    quietMs: TRANSFER_MS,
  });
  const output = exit.output.trim().slice(0, 2_000);
  if (exit.kind === "exited" && exit.code === 0) return output;
  if (exit.kind !== "exited")
    throw new ApiFailure(
      504,
      "database-slow",
      sentence("database-transfer-slow", { minutes: TRANSFER_MS / 60_000 }),
    );
  throw new ApiFailure(
    422,
    "database",
    output === "" ? sentence("database-silent") : { text: output },
  );
}

const remove = (workspace: Workspace, path: ProjectPath) =>
  workspace.files.remove(path).catch(() => undefined);

/**
 * Copies a database, or exports a table as CSV, in the app's sandbox, since the file is the app's.
 * @returns a stream whose file is removed once it was read or closed
 * @throws ApiFailure 422 `database` with SQLite's message
 */
export const takeOut = (workspace: Workspace, asked: TransferAsked): Promise<FileStream> =>
  outThroughFile(workspace, asked.do === "file-out" ? "sqlite" : "csv", (other) =>
    perform(workspace, asked, other),
  );

/**
 * Replaces a database, or inserts the rows of a CSV file into a table, in the app's sandbox.
 * @returns a sentence about the result
 * @throws ApiFailure 422 `database`; nothing was changed
 */
export const putIn = (
  workspace: Workspace,
  asked: TransferAsked,
  pieces: AsyncIterable<Uint8Array>,
): Promise<string> =>
  inThroughFile(workspace, asked.do === "file-in" ? "sqlite" : "csv", pieces, (other) =>
    perform(workspace, asked, other),
  );

/**
 * Restores a copy in the app's sandbox, after saving another one.
 * @returns a sentence about the result
 * @throws ApiFailure 422 `database`; nothing was changed
 */
export const goBackTo = (
  workspace: Workspace,
  file: ProjectPath,
  copy: ProjectPath,
): Promise<string> => perform(workspace, { do: "file-in", file }, copy);

/**
 * Reads from a temporary file in the app's sandbox, after `write` has written it.
 * @returns a stream whose file is removed once it was read or closed
 */
export async function outThroughFile(
  workspace: Workspace,
  ending: string,
  write: (other: ProjectPath) => Promise<unknown>,
): Promise<FileStream> {
  const other = passage(ending);
  let stream: FileStream;
  try {
    await write(other);
    stream = await workspace.files.readStream(other);
  } catch (error) {
    await remove(workspace, other);
    throw error;
  }
  return {
    size: stream.size,
    pieces: (async function* () {
      try {
        yield* stream.pieces;
      } finally {
        await remove(workspace, other);
      }
    })(),
    async close() {
      await stream.close();
      await remove(workspace, other);
    },
  };
}

/** Writes the content to a temporary file in the app's sandbox, runs `read` with it, and removes it. */
export async function inThroughFile(
  workspace: Workspace,
  ending: string,
  pieces: AsyncIterable<Uint8Array>,
  read: (other: ProjectPath) => Promise<string>,
): Promise<string> {
  const other = passage(ending);
  try {
    await workspace.files.writeStream(other, pieces);
    return await read(other);
  } finally {
    await remove(workspace, other);
    for (const end of ["-wal", "-shm"]) await remove(workspace, toProjectPath(`${other}${end}`));
  }
}
