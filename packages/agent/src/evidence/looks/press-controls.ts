import type { PageReport } from "@treadle/protocol";
import { sentence } from "@treadle/protocol/sentences";
import type { DataCopies, DataCopy } from "../../ports/data-copies.ts";
import { clipLine } from "../../text/clip.ts";
import { judgeConsole } from "../../preview/judge-console.ts";
import { startWithAllPorts } from "../../project/all-ports.ts";
import type { CopiedApp } from "./copied-app.ts";
import { isBroken } from "./look-at-pages.ts";
import type { Observation } from "../observation.ts";
import type { ServerCommand } from "../../project/server-command.ts";
import type { CodeRecord } from "../changed/what-ran.ts";
import { excuseOf } from "../wanted-hosts.ts";

/** How many pages have their controls pressed, and the milliseconds after which no further page is started. */
const PAGES = 5;
const ALL_MS = 40_000;

/** Reasons why no control was pressed, as shown beside the page. */
const NOT_PRESSED = {
  "no-copy": "no copy of the app's data can be had",
  outside: "what is pressed could reach services outside, by a host or a key of this project",
};

/**
 * Presses the controls of the observed pages in a separate copy of the app. A control without any effect is a finding, and one
 * that throws fails the console. Presses nothing without a copy, or if a press could reach an external system.
 */
export async function observeControls(
  { command }: ServerCommand,
  { app, copies }: { app: CopiedApp | undefined; copies: DataCopies | undefined },
  look: Observation,
  code: CodeRecord | undefined,
): Promise<void> {
  const { evidence, signal, clock } = look;
  const pages = evidence.pages.filter(
    (page) => page.source === "headless" && page.unsettled === undefined && !isBroken(page),
  );
  if (pages.length === 0) return;
  // An app that is observed in a copy can be copied again.
  const copy = app?.first.browser.press
    ? await startedCopy(command, app, copies, code, signal)
    : "no-copy";
  if (typeof copy === "string") return leaveNote(copy, look);
  const until = clock.now() + ALL_MS;
  try {
    // The first page comes last in the evidence.
    for (const page of pages.toReversed().slice(0, PAGES)) {
      if (clock.now() > until) return;
      await pressOn(copy, page, look, code);
    }
  } catch {
    // The browser or the copy broke, not the app, so the remaining controls stay untried.
    signal.throwIfAborted();
  } finally {
    await code?.takeServer(copy);
    if (copy !== app?.first) await copy.close();
  }
}

async function startedCopy(
  command: string,
  app: CopiedApp,
  copies: DataCopies | undefined,
  code: CodeRecord | undefined,
  signal: AbortSignal,
): Promise<DataCopy | keyof typeof NOT_PRESSED> {
  if (await copies?.reachesOutside?.()) return "outside";
  // Pressing changes nothing there that others would meet.
  if (app.servesFiles) return app.first;
  const copy = await copies?.open().catch(() => undefined);
  signal.throwIfAborted();
  if (!copy) return "no-copy";
  try {
    const how = { signal, alone: true, countsCode: code !== undefined };
    const elsewhere = () => app.first.workspace.server?.ports;
    const server = await startWithAllPorts(copy.workspace, command, how, elsewhere);
    if (copy.browser.press && server.state === "up" && server.ports.length > 0) return copy;
  } catch {
    signal.throwIfAborted();
  }
  await copy.close();
  return "no-copy";
}

async function pressOn(
  copy: DataCopy,
  page: PageReport,
  look: Observation,
  code: CodeRecord | undefined,
): Promise<void> {
  const { signal, keepPicture, settle } = look;
  const { path } = page;
  // A server that listens on any free port has a different port in each copy.
  const ports = copy.workspace.server?.ports ?? [];
  const port = page.port !== undefined && ports.includes(page.port) ? page.port : ports[0];
  const pressed = await copy.browser.press!({
    path,
    signal,
    port,
    code: code?.watch(),
  });
  signal.throwIfAborted();
  for (const { kind, subject, picture } of pressed.dead) {
    const saved = picture && (await keepPicture?.(picture));
    look.finding({
      code: kind === "link" ? "dead-link" : "dead-control",
      subject,
      path,
      picture: saved,
    });
  }
  const { problem, problemCode, detail } = judgeConsole(pressed.report);
  if (pressed.threw === undefined || problem === undefined) return;
  if (excuseOf(pressed.report, look, isBroken)) return;
  settle(
    "console",
    "failed",
    sentence("as-pressed", {
      what: { text: problem, coded: problemCode },
      control: clipLine(pressed.threw, 100),
      path,
    }),
    {
      detail,
    },
  );
}

function leaveNote(why: keyof typeof NOT_PRESSED, { evidence }: Observation): void {
  const { page } = evidence.parts;
  const note = `No control was pressed: ${NOT_PRESSED[why]}.`;
  page.detail = [page.detail, note].filter(Boolean).join("\n");
}
