import type { ProjectPath } from "@treadle/protocol";
import type { SymbolInformation, WorkspaceSymbol } from "vscode-languageserver-protocol";
import { readFile } from "../api/files.ts";
import { languageServer } from "./language-server.ts";
import { OpenDocuments } from "./open-documents.ts";
import { servedBy } from "./served-languages.ts";
import { pathOf, uriOf } from "./uris.ts";

/** A symbol in a file of the project. */
export interface ProjectSymbol {
  name: string;
  /** The class, function or module that contains it; often empty. */
  container: string;
  path: ProjectPath;
  /** Counted from 1. */
  line: number;
  column: number;
}

/** Maximum number of results; the person can type more to narrow them. */
const MAX_SYMBOLS = 60;

/** The symbols of a project's TypeScript and JavaScript files, while someone searches them. */
export interface ProjectSymbols {
  /** Matching symbols, in the language server's order; empty without a server or without such files. */
  find(query: string): Promise<ProjectSymbol[]>;
  close(): void;
}

/**
 * Starts searching a project's symbols; uses its TypeScript server until `close` is called.
 * @param files the project's files, one of which is opened for the server if no editor shows any
 */
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
      const found = await server.ask<object, (SymbolInformation | WorkspaceSymbol)[] | null>(
        "workspace/symbol",
        { query },
      );
      return (found ?? []).flatMap((one) => read(server.root, one)).slice(0, MAX_SYMBOLS);
    },
    close: leave,
  };
}

/**
 * A source file that makes the server load the whole project, which configuration files do not. Undefined if the
 * project has no file for the server.
 */
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
