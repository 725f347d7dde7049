import { plain } from "./terminal/plain.ts";
import { dataDirectory } from "./folders/data-directory.ts";
import { keepCompiled } from "./keep-compiled.ts";
import { readArguments, type Command } from "./arguments/read-arguments.ts";
import { outliveBrokenPipes } from "./terminal/broken-pipe.ts";
import { EXIT } from "./terminal/exit-status.ts";
import { helpText } from "./arguments/help.ts";
import { tidyOwnVariables } from "./settings/own-variables.ts";
import { sentence } from "./terminal/sentence.ts";

/**
 * Whether the command is a server or may start its own. Only then are the server's modules loaded and the data folder
 * created.
 */
const isServer = (command: Command) =>
  command.kind === "serve" ||
  command.kind === "run" ||
  command.kind === "check" ||
  command.kind === "replay" ||
  command.kind === "mcp" ||
  command.kind === "acp";

/** Loads only the requested command: `parse` needs no server. */
async function main(): Promise<number> {
  const command = readArguments(process.argv.slice(2));
  if (isServer(command)) keepCompiled(dataDirectory(command.data, process.env), process.env);
  switch (command.kind) {
    case "help":
      process.stdout.write(helpText(command.command));
      return 0;
    case "version":
      process.stdout.write(`${(await import("@treadle/common/version")).VERSION}\n`);
      return 0;
    case "wrong":
      process.stderr.write(
        `${plain(command.message)}\nSee treadle ${command.command ? `${command.command} ` : ""}--help.\n`,
      );
      return EXIT.usage;
    case "serve":
      return (await import("./serve.ts")).serve(command);
    case "run":
      return (await import("./run.ts")).run(command);
    case "check":
      return (await import("./check/check.ts")).check(command);
    case "checks":
      return (await import("./check/checks.ts")).checks(command);
    case "bench":
      return (await import("./bench/bench.ts")).bench(command);
    case "parse":
      return (await import("./answers/parse.ts")).parse(command);
    case "replay":
      return (await import("./replay.ts")).replay(command);
    case "backup":
      return (await import("./backup/backup.ts")).backup(command);
    case "restore":
      return (await import("./backup/restore.ts")).restore(command);
    case "migrate-store":
      return (await import("./backup/migrate-store.ts")).migrateStore(command);
    case "projects":
      return (await import("./projects.ts")).listProjects(command);
    case "logs":
      return (await import("./publish/logs.ts")).logs(command);
    case "link":
      return (await import("./link.ts")).link(command);
    case "login":
      return (await import("./login.ts")).login(command);
    case "logout":
      return (await import("./login.ts")).logout(command);
    case "open":
      return (await import("./open.ts")).open(command);
    case "export":
      return (await import("./doors/export.ts")).exportProject(command);
    case "import":
      return (await import("./doors/import.ts")).importProject(command);
    case "checkpoints":
      return (await import("./doors/checkpoints.ts")).checkpoints(command);
    case "sync":
      return (await import("./sync/sync.ts")).sync(command);
    case "publish":
      return (await import("./publish/publish.ts")).publish(command);
    case "share":
      return (await import("./publish/share.ts")).share(command);
    case "caddyfile":
      return (await import("./publish/caddyfile.ts")).caddyfile(command);
    case "mcp":
      return (await import("./mcp.ts")).mcp(command);
    case "acp":
      return (await import("./acp/acp.ts")).acp(command);
    case "completion":
      process.stdout.write(
        (await import("./arguments/completion.ts")).completionFor(command.shell),
      );
      return 0;
    case "doctor":
      if (command.attacks) return (await import("./doctor/attacks.ts")).attacks();
      if (command.takeDatabases)
        return (await import("./backup/take-databases.ts")).takeOver(command);
      if (command.repair) return (await import("./backup/repair.ts")).repair(command);
      return (await import("./doctor/doctor.ts")).doctor(command);
  }
}

outliveBrokenPipes([process.stdout, process.stderr]);
tidyOwnVariables(process.env);
try {
  process.exitCode = await main();
} catch (error) {
  process.stderr.write(`${plain(sentence(error))}\n`);
  process.exitCode = EXIT.usage;
}
