/** What else models call a file, or what is done to it. */
const FILE =
  /^(?:(?:create|update|write|modify|overwrite|replace|add|delete|remove)(?:[-_ ]?file)?|)$/;
/** What else they call a command, and a server. */
const COMMAND =
  /^(?:bash|sh|zsh|cmd|command|commands|run|exec|execute|terminal|console|install|npm|pnpm|yarn|bun|npx|(?:run|execute|shell)[-_ ]?(?:command|script))$/;
const SERVER = /^(?:dev|serve|server|start[-_ ]?server|dev[-_ ]?server)$/;
/** What else they call a file's path. */
const PATHS = ["path", "file_path", "file-path", "filename", "file"];

/** An action's attributes in the dialect's own words; those that mean nothing else stay as they are. */
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
