import { seesPictures, type Model, type RunPorts } from "@treadle/agent";
import type { ApprovalMode, Author } from "@treadle/protocol";
import type { StoredMessage } from "@treadle/store";
import type { Workspace } from "@treadle/workspace";
import type { McpHub } from "@treadle/tool-servers";
import { keptPictures, type messagePictures, pagePictures } from "@treadle/pictures";
import { projectFolder } from "../project-context/project-folder.ts";
import type { ProjectContext } from "../project-context/project-context.ts";
import { approvalsOf } from "./approvals.ts";
import { keptOutputs } from "./kept-outputs.ts";

/** The ports of one run in this project. */
export function runPorts(
  context: ProjectContext,
  run: {
    model: Model;
    workspace: Workspace;
    browser: RunPorts["browser"];
    copies: RunPorts["copies"];
    /** External tool servers; undefined if there are none. */
    mcp: Awaited<ReturnType<McpHub["toolsFor"]>> | undefined;
    pictures: ReturnType<typeof messagePictures>;
    /** Overrides the project's own approval mode for this run. */
    approve: ApprovalMode | undefined;
    /** The person whose terminals the run may read; undefined where there is only one person. */
    person: Author | undefined;
    append: RunPorts["log"]["append"];
  },
): RunPorts {
  const { id, parts, trust } = context;
  const { model, workspace } = run;
  const folder = projectFolder(parts.dataDirectory, id);
  const { mcp } = parts;
  return {
    model: { ...model, seesPictures: model.seesPictures ?? seesPictures(model.id) },
    pictures: pagePictures(keptPictures(folder, true)),
    outputs: keptOutputs(folder),
    workspace: trust.modelWorkspace(workspace),
    log: { append: run.append, settled: () => parts.store.log.settled(id) },
    browser: run.browser,
    copies: run.copies,
    readTemplate: parts.readTemplate,
    mcp: run.mcp?.tools ?? [],
    mcpMissing: run.mcp?.missing ?? [],
    learn: (habits) => void parts.models.learn?.(model.id, habits),
    approvals: approvalsOf(context, run.approve),
    checks: trust.checks,
    beginLook: context.lookStops.begin,
    locks: () => context.view.locks ?? [],
    todo: () => context.view.todo,
    clock: parts.clock,
    mentioned: {
      terminal: (name) => context.readTerminal(name, run.person),
      resource: mcp && ((name, uri, until) => mcp.readResource(id, name, uri, until)),
      evidence: () => context.view.evidence,
    },
    save: (saved) =>
      parts.store.messages.put(id, run.pictures.withStoredPictures(saved) as StoredMessage),
    isAccepted: trust.isAccepted,
    personSettled: (paths) => trust.authors.personSettled(paths),
    wrote: (path, version, unseen) => trust.modelWrote(workspace, path, version, unseen === true),
  };
}
