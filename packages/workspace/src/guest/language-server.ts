/**
 * A language server for CSS, HTML and JSON over stdin and stdout, built from the services of VS
 * Code in one process. TypeScript has a server of its own; `treadle-language-server` starts either.
 */
import { getCSSLanguageService, getLESSLanguageService, getSCSSLanguageService } from "vscode-css-languageservice"; // prettier-ignore
import { getLanguageService as getHtmlService } from "vscode-html-languageservice";
import { getLanguageService as getJsonService } from "vscode-json-languageservice";
import {
  createConnection,
  DocumentDiagnosticReportKind,
  ProposedFeatures,
  TextDocuments,
  TextDocumentSyncKind,
  type CompletionList,
  type Definition,
  type Diagnostic,
  type DocumentSymbol,
  type FormattingOptions,
  type Hover,
  type Location,
  type Position,
  type SymbolInformation,
  type TextEdit,
  type WorkspaceEdit,
} from "vscode-languageserver/node";
import { TextDocument } from "vscode-languageserver-textdocument";

/** The requests that one language supports; others are answered with null. */
interface Language {
  complete(at: Place): CompletionList | PromiseLike<CompletionList | null>;
  hover(at: Place): Hover | null | PromiseLike<Hover | null>;
  problems(document: TextDocument): Diagnostic[] | PromiseLike<Diagnostic[]>;
  symbols(document: TextDocument): (DocumentSymbol | SymbolInformation)[];
  format(document: TextDocument, options: FormattingOptions): TextEdit[];
  define?(at: Place): Definition | null;
  references?(at: Place): Location[];
  rename?(at: Place, name: string): WorkspaceEdit | null;
}

interface Place {
  document: TextDocument;
  position: Position;
}

/** Settings that accept the rules of build tools (Tailwind, PostCSS) as valid. */
const CSS_SETTINGS = { validate: true, lint: { unknownAtRules: "ignore" } };

function css(service: ReturnType<typeof getCSSLanguageService>): Language {
  const read = (document: TextDocument) => service.parseStylesheet(document);
  return {
    complete: ({ document, position }) => service.doComplete(document, position, read(document)),
    hover: ({ document, position }) => service.doHover(document, position, read(document)),
    problems: (document) => service.doValidation(document, read(document), CSS_SETTINGS),
    symbols: (document) => service.findDocumentSymbols2(document, read(document)),
    format: (document, options) => service.format(document, undefined, options),
    define: ({ document, position }) => service.findDefinition(document, position, read(document)),
    references: ({ document, position }) =>
      service.findReferences(document, position, read(document)),
    rename: ({ document, position }, name) =>
      service.doRename(document, position, name, read(document)),
  };
}

function html(service: ReturnType<typeof getHtmlService>): Language {
  const read = (document: TextDocument) => service.parseHTMLDocument(document);
  return {
    complete: ({ document, position }) => service.doComplete(document, position, read(document)),
    hover: ({ document, position }) => service.doHover(document, position, read(document)),
    problems: () => [],
    symbols: (document) => service.findDocumentSymbols2(document, read(document)),
    format: (document, options) => service.format(document, undefined, options),
    rename: ({ document, position }, name) =>
      service.doRename(document, position, name, read(document)),
  };
}

/** Configuration files whose readers allow comments. */
const COMMENTED = /\.jsonc$|\/(?:tsconfig|jsconfig)[^/]*\.json$|\/\.vscode\/[^/]+\.json$/;

function json(service: ReturnType<typeof getJsonService>): Language {
  service.configure({ validate: true });
  const read = (document: TextDocument) => service.parseJSONDocument(document);
  return {
    complete: ({ document, position }) => service.doComplete(document, position, read(document)),
    hover: ({ document, position }) => service.doHover(document, position, read(document)),
    problems: (document) =>
      service.doValidation(document, read(document), {
        comments: COMMENTED.test(document.uri) ? "ignore" : "error",
        trailingCommas: COMMENTED.test(document.uri) ? "ignore" : "error",
      }),
    symbols: (document) => service.findDocumentSymbols2(document, read(document)),
    format: (document, options) =>
      service.format(
        document,
        { start: { line: 0, character: 0 }, end: document.positionAt(document.getText().length) },
        options,
      ),
  };
}

const LANGUAGES: Record<string, Language> = {
  css: css(getCSSLanguageService()),
  scss: css(getSCSSLanguageService()),
  less: css(getLESSLanguageService()),
  html: html(getHtmlService()),
  json: json(getJsonService({})),
};

const connection = createConnection(ProposedFeatures.all, process.stdin, process.stdout);
const documents = new TextDocuments(TextDocument);

/**
 * Asks the language about a document; returns null if there is no such document, or the language
 * does not support the request.
 */
function ask<Answer>(
  uri: string,
  question: (language: Language, document: TextDocument) => Answer | null | undefined,
): Answer | null {
  const document = documents.get(uri);
  const language = document && LANGUAGES[document.languageId];
  return (language && question(language, document)) ?? null;
}

connection.onInitialize(() => ({
  capabilities: {
    textDocumentSync: TextDocumentSyncKind.Incremental,
    completionProvider: { triggerCharacters: [":", "<", '"', "=", "/", "-", ".", "@", "#"] },
    hoverProvider: true,
    definitionProvider: true,
    referencesProvider: true,
    renameProvider: true,
    documentSymbolProvider: true,
    documentFormattingProvider: true,
    diagnosticProvider: { interFileDependencies: false, workspaceDiagnostics: false },
  },
}));
connection.onCompletion(({ textDocument, position }) =>
  ask(textDocument.uri, (language, document) => language.complete({ document, position })),
);
connection.onHover(({ textDocument, position }) =>
  ask(textDocument.uri, (language, document) => language.hover({ document, position })),
);
connection.onDefinition(({ textDocument, position }) =>
  ask(textDocument.uri, (language, document) => language.define?.({ document, position })),
);
connection.onReferences(({ textDocument, position }) =>
  ask(textDocument.uri, (language, document) => language.references?.({ document, position })),
);
connection.onRenameRequest(({ textDocument, position, newName }) =>
  ask(textDocument.uri, (language, document) => language.rename?.({ document, position }, newName)),
);
connection.onDocumentSymbol(({ textDocument }) =>
  ask(textDocument.uri, (language, document) => language.symbols(document) as DocumentSymbol[]),
);
connection.onDocumentFormatting(({ textDocument, options }) =>
  ask(textDocument.uri, (language, document) => language.format(document, options)),
);
connection.languages.diagnostics.on(async ({ textDocument }) => ({
  kind: DocumentDiagnosticReportKind.Full,
  items: (await ask(textDocument.uri, (language, document) => language.problems(document))) ?? [],
}));

documents.listen(connection);
connection.listen();
