import type { ProjectPath } from "@treadle/protocol";
import type { SymbolInformation, WorkspaceSymbol } from "vscode-languageserver-protocol";
import { readFile } from "../api/files.ts";
import { languageServer } from "./language-server.ts";
import { OpenDocuments } from "./open-documents.ts";
import { servedBy } from "./served-languages.ts";
import { pathOf, uriOf } from "./uris.ts";

/** A name that a file of the project makes. */
export interface ProjectSymbol {
  name: string;
  /** What it is in: a class, a function, a module; often empty. */
  container: string;
  path: ProjectPath;
  /** From 1. */
  line: number;
  column: number;
}

/** So many are told: whoever looks for more types on. */
const MOST = 60;

/** The names that a project's TypeScript and JavaScript make, for as long as somebody looks for one. */
export interface ProjectSymbols {
  /** Those that fit, the best first, as the language server sees it; without it, or with no such file, none. */
  find(query: string): Promise<ProjectSymbol[]>;
  close(): void;
}

/** @param files the project's, of which one is opened for the server where no editor shows any */
export function openProjectSymbols(project: string, files: readonly ProjectPath[]): ProjectSymbols {
  const server = languageServer(project, "typescript");
  const leave = server.use();
  const begun = begin();
  async function begin(): Promise<boolean> {
    const root = await server.ready();
    const documents = server.client.workspace;
    if (!(documents instanceof OpenDocuments)) return false;
    if (documents.files.length > 0) return true;
    const path = firstOf(files);
    const language = path && servedBy(path)?.language;
    if (path === undefined || language === undefined) return false;
    const { text } = await readFile(project, path);
    if (text === undefined) return false;
    documents.show(uriOf(root, path), language, text);
    return true;
  }
  return {
    async find(query) {
      if (!(await begun)) return [];
      const found = await server.client.request<
        object,
        (SymbolInformation | WorkspaceSymbol)[] | null
      >("workspace/symbol", { query });
      return (found ?? []).flatMap((one) => read(server.root, one)).slice(0, MOST);
    },
    close: leave,
  };
}

/** A file that a server reads the whole project from: of its sources, and none that only sets something up. */
function firstOf(files: readonly ProjectPath[]): ProjectPath | undefined {
  const served = files.filter(
    (path) => servedBy(path)?.server === "typescript" && !path.endsWith(".d.ts"),
  );
  return (
    served.find((path) => /(?:^|\/)(?:src|app)\//.test(path)) ??
    served.find((path) => !/\.config\.\w+$/.test(path)) ??
    served[0]
  );
}

function read(root: string, symbol: SymbolInformation | WorkspaceSymbol): ProjectSymbol[] {
  const { name, containerName, location } = symbol;
  const path = pathOf(root, location?.uri);
  if (path === undefined || /(?:^|\/)node_modules\//.test(path)) return [];
  const start = "range" in location ? location.range.start : { line: 0, character: 0 };
  if (typeof name !== "string" || !Number.isInteger(start?.line)) return [];
  return [
    {
      name,
      container: typeof containerName === "string" ? containerName : "",
      path,
      line: start.line + 1,
      column: start.character + 1,
    },
  ];
}
