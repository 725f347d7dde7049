import { plain } from "./terminal/plain.ts";
import { ListenError } from "@treadle/common";
import { createTreadle, weighServer } from "@treadle/server";
import type { Command } from "./arguments/read-arguments.ts";
import { dataDirectory } from "./folders/data-directory.ts";
import { EXIT } from "./terminal/exit-status.ts";
import { ensureSandbox } from "./folders/ensure-sandbox.ts";
import { folderInPlace, openInPlace } from "./folders/in-place.ts";
import { canOpenBrowser, openBrowser } from "./terminal/open-browser.ts";
import { readPort } from "./settings/port-setting.ts";
import { createServerLog } from "./terminal/server-log.ts";
import { sentence } from "./terminal/sentence.ts";
import { webDirectory } from "./folders/web-directory.ts";

/** `treadle serve`: runs until the first SIGINT or SIGTERM, and then stops everything that it started. */
export async function serve(command: Extract<Command, { kind: "serve" }>): Promise<number> {
  // The errors of creating the log and of reading the port are sentences for the person who started the server.
  const log = createServerLog(process.env.TREADLE_LOG, (line) => process.stdout.write(line));
  const print = log.onNotice;
  if (!command.unsafe && !(await ensureSandbox(print))) return EXIT.usage;
  const port = command.port ?? readPort(process.env.TREADLE_PORT);

  const env = serverEnv(command, process.env);
  const isPublic = (env["TREADLE_URL"] ?? "") !== "";

  const data = dataDirectory(command.data, process.env);
  const folder = command.folder === undefined ? undefined : folderInPlace(command.folder, data);
  if (folder && "wrong" in folder) {
    process.stderr.write(`${plain(folder.wrong)} Nothing was started.\n`);
    return EXIT.usage;
  }

  // Installed before the address is printed, so that a signal from then on always ends the server properly. A second
  // signal ends it immediately.
  const signalled = new Promise<void>((resolve) => {
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const)
      process.once(signal, () => resolve());
  });
  let treadle;
  try {
    treadle = await createTreadle({
      dataDirectory: data,
      database: process.env.DATABASE_URL,
      webDirectory: webDirectory(),
      unsafeNoSandbox: command.unsafe,
      env,
      ...log,
    });
    process.on("unhandledRejection", treadle.lastResort);
    weighServer();
    const { url } = await treadle.listen({ host: command.host, port });
    const opened = folder && (await openInPlace(treadle.projects, folder.directory));
    const place = opened ? `/p/${opened.id}` : "/";
    if (isPublic && (await treadle.isOwnerSignedIn())) {
      print(`\n  Treadle is at ${env["TREADLE_URL"]}\n`);
      print("  “treadle link” prints an address that signs its owner in, once.\n");
    } else {
      const address = await treadle.ownerLink?.();
      print(`\n  Treadle is at ${address ?? `${url}${place}?token=${treadle.token}`}\n`);
      if (address) print("  This address signs its owner in, once, within an hour.\n");
    }
    if (folder) print(`  It works in ${folder.directory}, which stays yours.\n`);
    if (command.unsafe)
      print(
        "  There is no sandbox: what models write runs as you, and can do whatever you can do.\n",
      );
    if (command.browser && !isPublic && canOpenBrowser())
      openBrowser(`${url}${place}?ticket=${treadle.ticket()}`);
  } catch (error) {
    await treadle?.close();
    process.stderr.write(`${plain(sentence(error))}\n`);
    return error instanceof ListenError || error instanceof Error ? EXIT.usage : EXIT.failed;
  }

  await signalled;
  await treadle.close();
  return 0;
}

/** The environment of the server: options come before variables. */
function serverEnv(
  { team, url, previewUrl, proxies }: Extract<Command, { kind: "serve" }>,
  env: NodeJS.ProcessEnv,
): NodeJS.ProcessEnv {
  return {
    ...env,
    ...(team ? { TREADLE_TEAM: "1" } : {}),
    ...(url === undefined ? {} : { TREADLE_URL: url }),
    ...(previewUrl === undefined ? {} : { TREADLE_PREVIEW_URL: previewUrl }),
    ...(proxies.length === 0 ? {} : { TREADLE_PROXIES: proxies.join(",") }),
  };
}
