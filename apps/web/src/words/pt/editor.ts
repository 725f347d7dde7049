import type { editor as en } from "../en/editor.ts";
import { counted } from "./counted.ts";

export const editor = {
  checkProblems: {
    "no-steps": "Esta verificação não tem passos",
    "too-many-checks": (most: number) => `Um projeto tem no máximo ${most} verificações`,
    "too-many-steps": (most: number) => `Uma verificação tem no máximo ${most} passos`,
    "too-many-persons": (most: number) => `Uma verificação tem no máximo ${most} pessoas`,
    "too-long": (most: number) => `Um passo tem no máximo ${most} caracteres`,
    "open-quote": "As aspas não foram fechadas",
    "unknown-role": (role: string, nearest: string) =>
      `“${role}” não é um papel. O mais próximo: ${nearest}`,
    "not-first": "Está tarde demais: o dia é definido antes de tudo",
    "unknown-form": (nearest: string) => `Isto não é um passo. O mais próximo: ${nearest}`,
  },
  openFiles: "Arquivos abertos",
  notSaved: "(não salvo)",
  close: (name) => `Fechar ${name}`,
  split: "Mostrar ao lado",
  closeBeside: "Fechar o arquivo ao lado",
  find: "Localizar",
  replaceWith: "Substituir por",
  matchCase: "Diferenciar maiúsculas",
  wholeWord: "Palavras inteiras",
  expression: "Expressão regular",
  noExpression: "Não é uma expressão regular",
  before: "Ocorrência anterior",
  next: "Próxima ocorrência",
  endSearch: "Fechar a busca",
  replace: "Substituir",
  replaceAll: "Substituir tudo",
  noMatch: "Nenhuma ocorrência",
  matchOf: (at, all, more) =>
    at === 0
      ? counted(
          all,
          more ? { other: "#+ ocorrências" } : { one: "# ocorrência", other: "# ocorrências" },
        )
      : `${at} de ${all}${more ? "+" : ""}`,
  hiddenValue: "valor oculto",
  showValues: "Mostrar os valores",
  hideValues: "Ocultar os valores",
  badFont: "Não foi possível ler a fonte.",
  fontSample: "À noite, vovô Kowalsky vê o ímã cair no pé do pinguim 0123456789",
  elsewhere: "É definido fora dos arquivos do próprio projeto.",
  noDefinition: "Não se sabe onde isto é definido.",
  noAnswer: "O servidor de linguagem não respondeu.",
  newName: "Novo nome",
  rename: "Renomear",
  notRenamed: "Isto não pode ser renomeado.",
  renamed: (name: string, files: number) =>
    counted(files, {
      one: `Renomeado para ${name} em # arquivo.`,
      other: `Renomeado para ${name} em # arquivos.`,
    }),
  renamedPartly: (files: string) =>
    `Renomeado, mas não em ${files}: foi alterado por outra mão nesse meio-tempo.`,
  refusedEdit:
    "O servidor de linguagem quis alterar algo fora dos arquivos do próprio projeto. Nada foi alterado.",
  noHelp: "Sem ajuda de linguagem",
  searchAll: "Localizar em todos os arquivos",
  withReplace: "Substituir também",
  whichFiles: "Arquivos…",
  folderExample: "src, *.css",
  leftExample: "*.test.ts",
  onlyFiles: "Só nestes",
  leaveOut: "Menos nestes",
  results: "O que foi encontrado",
  searching: "Procurando…",
  foundCount: (lines: number, files: number, more: boolean) =>
    `${counted(lines, more ? { other: "#+ linhas" } : { one: "# linha", other: "# linhas" })} ${counted(files, { one: "em # arquivo", other: "em # arquivos" })}`,
  usesOf: (name: string, uses: number) =>
    counted(uses, { one: `${name}: # uso`, other: `${name}: # usos` }),
  replaceInFile: (name: string) => `Substituir em ${name}`,
  replaceLine: (line: number) => `Substituir na linha ${line}`,
  replaceCount: (lines: number) =>
    counted(lines, { one: "Substituir em # linha", other: "Substituir em # linhas" }),
  leaveFile: (name: string) => `Deixar ${name} de fora`,
  leaveLine: (line: number) => `Deixar a linha ${line} de fora`,
  filesDone: (done: number, of: number) =>
    `${done} de ${counted(of, { one: "# arquivo…", other: "# arquivos…" })}`,
  replaced: (lines: number, files: number) =>
    `${counted(lines, { one: "Substituído em # linha", other: "Substituído em # linhas" })}, ${counted(files, { one: "# arquivo", other: "# arquivos" })}.`,
  stop: "Parar",
  stoppedBefore: (files: number) =>
    `Parado: ${counted(files, { one: "# arquivo não foi tratado", other: "# arquivos não foram tratados" })}.`,
  otherwise: (path: string) => `${path} não está mais como foi lido antes.`,
  notReplaced: (files: string) => `Ficaram como estavam: ${files}.`,
  notTakenBack: (files: string) => `Mudaram de novo nesse meio-tempo e ficaram assim: ${files}.`,
  lock: (name: string) => `Bloquear ${name}: o modelo não mexe nele`,
  unlock: (name: string) => `Desbloquear ${name}`,
  lockedByFolder: (name: string) => `${name} está em uma pasta bloqueada`,
  locked: "bloqueado",
  lockItem: "Bloquear para o modelo",
  unlockItem: "Desbloquear",
  inLockedFolder: "Em uma pasta bloqueada",
  newFolder: "Nova pasta",
  newFolderPath: "Caminho da nova pasta",
  renameItem: "Renomear",
  closeItem: "Fechar",
  closeOthers: "Fechar os outros",
  copyPath: "Copiar caminho",
  downloadZip: "Baixar como ZIP",
  turnMarks: {
    added: "Novo desde o início da última rodada",
    changed: "Alterado desde o início da última rodada",
    removed: "Linhas removidas desde o início da última rodada",
  },
  format: "Formatar (Shift+Alt+F)",
  noFormatter:
    "Nada aqui sabe formatar este tipo de arquivo. O Prettier ou o Biome do próprio projeto é usado onde houver.",
  offered: (text) => `Sugestão: ${text}. Tab aceita, Esc recusa.`,
  symbolsOf: (path: string, amount: number) =>
    counted(amount, { one: `${path}: # nome`, other: `${path}: # nomes` }),
} satisfies typeof en;
