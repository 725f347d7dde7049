import type { ProjectSummary } from "@treadle/protocol";
import { summaryStatus } from "@treadle/protocol/fold";
import { connectLocal } from "@treadle/client/local";
import { jsonLine } from "./terminal/json-line.ts";
import { VERDICT } from "./terminal/narrate.ts";
import { plain } from "./terminal/plain.ts";

/** `treadle projects`: lists the running server's projects, most recently changed first. */
export async function listProjects(command: { json: boolean; data?: string | undefined }) {
  const projects = await connectLocal(command.data).projects();
  if (command.json) for (const project of projects) process.stdout.write(jsonLine(project));
  else if (projects.length === 0) process.stdout.write("There are no projects yet.\n");
  else process.stdout.write(tableOf(projects));
  return 0;
}

function tableOf(projects: readonly ProjectSummary[]): string {
  const rows = projects.map((project) => [
    project.id,
    STATUS[summaryStatus(project)],
    new Date(project.updatedAt).toISOString().slice(0, 16).replace("T", " "),
    plain(project.name),
  ]);
  const widths = [0, 1, 2].map((n) => Math.max(...rows.map((row) => row[n]!.length)));
  return rows
    .map((row) => `${row.map((cell, n) => cell.padEnd(widths[n] ?? 0)).join("  ")}\n`)
    .join("");
}

const STATUS = { ...VERDICT, waiting: "Waiting for you", working: "Working", new: "Nobody looked" };
