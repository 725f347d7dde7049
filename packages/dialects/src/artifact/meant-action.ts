/** Other names that models use for a file action, or for its operation. */
const FILE =
  /^(?:(?:create|update|write|modify|overwrite|replace|add|delete|remove)(?:[-_ ]?file)?|)$/;
/** Other names for a command, and for a server. */
const COMMAND =
  /^(?:bash|sh|zsh|cmd|command|commands|run|exec|execute|terminal|console|install|npm|pnpm|yarn|bun|npx|(?:run|execute|shell)[-_ ]?(?:command|script))$/;
const SERVER = /^(?:dev|serve|server|start[-_ ]?server|dev[-_ ]?server)$/;
/** Other names for a file's path. */
const PATHS = ["path", "file_path", "file-path", "filename", "file"];

/** Translates an action's attributes into the dialect's own; unknown ones stay unchanged. */
export function meantAction(attributes: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  const meant = new Map(attributes);
  const type = (attributes.get("type") ?? "").trim().toLowerCase();
  const path = PATHS.map((name) => attributes.get(name)).find((one) => one !== undefined);
  if (COMMAND.test(type)) meant.set("type", "shell");
  else if (SERVER.test(type)) meant.set("type", "start");
  else if (FILE.test(type) && (attributes.has("filepath") || path !== undefined)) {
    meant.set("type", "file");
    const operation = type.replace(/[-_ ]?file$/, "");
    if (operation !== "" && !meant.has("operation")) meant.set("operation", operation);
  }
  if (meant.get("type")?.trim().toLowerCase() === "file" && path !== undefined)
    if (!meant.has("filepath")) meant.set("filepath", path);
  return meant;
}
