import type { editor as en } from "../en/editor.ts";
import { counted } from "./counted.ts";

export const editor = {
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
      ? counted(all, { one: "# ocorrência", other: "# ocorrências" }) + (more ? "+" : "")
      : `${at} de ${all}${more ? "+" : ""}`,
  hiddenValue: "valor oculto",
  showValues: "Mostrar os valores",
  hideValues: "Ocultar os valores",
  badFont: "Não foi possível ler a fonte.",
  fontSample: "À noite, vovô Kowalsky vê o ímã cair no pé do pinguim 0123456789",
} satisfies typeof en;
