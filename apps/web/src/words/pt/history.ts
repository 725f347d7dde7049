import type { history as en } from "../en/history.ts";

export const history = {
  nothingYet: "Nada foi guardado ainda. Cada alteração cria um ponto salvo.",
  checkpoints: "Pontos salvos",
  changesOf: (title) => `Alterações de ${title}`,
  changes: "Alterações",
  now: "agora",
  asNow: "igual a agora",
  stopFirst: "Pare o trabalho primeiro",
  goBackTo: (title) => `Voltar para ${title}`,
  goBack: "Voltar",
  history: "Histórico",
} satisfies typeof en;
