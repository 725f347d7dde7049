import type { modelChip as en } from "../en/modelChip.ts";

export const modelChip = {
  choose: "Escolha um modelo",
  model: "Modelo",
  modelIs: (label) => `Modelo: ${label}`,
  forPlanning: "Modelo para planejar",
  forPlanningIs: (label) => `Modelo para planejar: ${label}`,
  same: "O mesmo da criação",
  looking: "Procurando modelos nesta máquina…",
} satisfies typeof en;
