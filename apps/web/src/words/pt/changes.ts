import type { changes as en } from "../en/changes.ts";
import { counted } from "./counted.ts";

export const changes = {
  nothingYet: "Nada foi alterado ainda.",
  changes: "Alterações",
  sinceLastTurn: "desde o início da última rodada",
  sinceFirst: "desde o primeiro ponto salvo",
  ofChosen: "do ponto salvo escolhido",
  files: (amount) => counted(amount, { one: "# arquivo", other: "# arquivos" }),
  comparing: "Comparando…",
  tryAgain: "Tentar de novo",
  noDifferences: "Nenhuma diferença.",
  kinds: { added: "adicionado", changed: "alterado", removed: "removido" },
  openFile: (name) => `Abrir ${name}`,
  open: "Abrir",
  notText: "Não é texto.",
  tooMuch: "Mudou coisa demais para mostrar este arquivo aqui. Abra-o para ver.",
  noLines: "Nada para mostrar linha por linha.",
  moreLines: (amount) =>
    counted(amount, { one: "Mais # linha: mostrar", other: "Mais # linhas: mostrar" }),
} satisfies typeof en;
