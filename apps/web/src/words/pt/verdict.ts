import type { verdict as en } from "../en/verdict.ts";

export const verdict = {
  working: "Trabalhando",
  waiting: "Espera por você",
  verified: "Verificado",
  runs: "Funciona",
  failed: "Falhou",
  unverified: "Não verificado",
  new: "Novo",
} satisfies typeof en;
